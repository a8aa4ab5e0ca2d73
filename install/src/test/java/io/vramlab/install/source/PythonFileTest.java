package io.vramlab.install.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

class PythonFileTest {

    private static PythonFile file(String text) {
        return PythonFile.of(text.lines().toList());
    }

    private static List<String> texts(String text) {
        return file(text).statements().stream().map(Statement::text).toList();
    }

    @Test
    void commentsAndWhatLongStringsSayAreNoCode() {
        assertEquals(List.of("\" \"", "x = f(\"cuda\", \"\") + 1"), texts("""
                '''loss.backward()
                   in a text'''
                x = f("cuda", "call loss.backward() # here") + 1  # loss.backward()
                """));
    }

    @Test
    void aStatementGoesOnInBracketsAndAfterABackslash() {
        PythonFile file = file("""
                y = model(
                    x,  # the batch

                    mask)
                z = y + \\
                    1
                """);
        assertEquals(List.of("y = model( x, mask)", "z = y + 1"),
                file.statements().stream().map(Statement::text).toList());
        assertEquals(0, file.at(4).orElseThrow().index());
        assertEquals(1, file.at(6).orElseThrow().index());
        assertEquals("mask)", file.line(4));
        assertEquals("", file.line(7));
    }

    @Test
    void aStatementStandsUnderItsHeads() {
        PythonFile file = file("""
                class Trainer:
                    @torch.no_grad()
                    def fit(self):
                        for x in data:
                            use(x)
                        done()
                after()
                """);
        Statement use = file.at(5).orElseThrow();
        assertEquals(List.of("for x in data:", "def fit(self):", "class Trainer:"),
                file.enclosing(use).stream().map(Statement::text).toList());
        assertEquals("fit", file.function(use).orElseThrow().functionName());
        assertEquals("@torch.no_grad()", file.decorators(file.at(3).orElseThrow()).getFirst().text());
        assertEquals(List.of("done()"), file.after(file.at(4).orElseThrow()).stream().map(Statement::text).toList());
    }

    @Test
    void aNameThatIsAssignedIsNotAKeywordNorAnAttribute() {
        PythonFile file = file("""
                self.flow = flow.to(device=dev)
                a, b = f(a)
                total += loss
                f(x=1)
                if x == 1:
                    pass
                """);
        List<Statement> all = file.statements();
        assertEquals(Set.of("self.flow"), all.get(0).targets());
        assertTrue(!all.get(0).isOfItself() && all.get(1).isOfItself() && !all.get(2).isOfItself());
        assertTrue(all.get(2).isAugmented());
        assertEquals(Set.of(), all.get(3).targets());
        assertEquals(Set.of(), all.get(4).targets());
    }

    @Test
    void dataThatIsWrittenInAFileIsNotReadThrough() {
        PythonFile file = file("x = [" + "(for in ".repeat(100_000) + "]\ny = 1\n");
        assertEquals(2000, file.statements().getFirst().text().length());
        assertTrue(!file.statements().getFirst().isOfItself());
    }

    @Test
    void whatIsNoPythonIsReadAsWellAsItGoes() {
        assertEquals(1, file("x = ((((\n\u0000 '''").statements().size());
        assertEquals(List.of(), texts(""));
    }
}
