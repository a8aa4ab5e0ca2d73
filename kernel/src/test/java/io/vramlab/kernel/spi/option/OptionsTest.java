package io.vramlab.kernel.spi.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsTest {

    private final Options options = Options.of("%demo", "Shows things.").flag("abbreviated", "fewer rows")
            .value("device", "N", "of device N").choice("by", List.of("kind", "cell"), "how to group")
            .words("[NAME]", 0, 1, "a variable").offers(session -> List.of("weights", "width"));

    private String complaint(String text) {
        return assertThrows(UsageException.class, () -> options.parse(text)).getMessage();
    }

    @Test
    void flagsValuesAndWordsAreRead() throws UsageException {
        Arguments arguments = options.parse("--abbreviated --device=1 'a b' --by kind");
        assertTrue(arguments.has("abbreviated"));
        assertEquals(1, arguments.number("device", 0, 0));
        assertEquals("kind", arguments.value("by").orElseThrow());
        assertEquals(List.of("a b"), arguments.words());
    }

    @Test
    void anUnknownOptionIsToldWithWhatThereIsAndTheNearest() {
        assertEquals("%demo: there is no option --abbrevated. It takes --abbreviated, --device N, --by kind|cell and "
                + "--help. Did you mean --abbreviated?", complaint("--abbrevated"));
    }

    @Test
    void wrongValuesAreToldInThreeParts() throws UsageException {
        assertEquals("%demo: --device has no value. It needs one: write --device N.", complaint("--device"));
        assertEquals("%demo: --by was given \"kint\". It is one of kind, cell. Did you mean kind?",
                complaint("--by kint"));
        assertEquals("%demo: --abbreviated was given \"yes\", but it takes no value. Write --abbreviated alone.",
                complaint("--abbreviated=yes"));
        Arguments arguments = options.parse("--device x");
        assertEquals(
                "%demo: --device was given \"x\". It is a whole number of at least 0. Write for instance --device 0.",
                assertThrows(UsageException.class, () -> arguments.number("device", 0, 0)).getMessage());
    }

    @Test
    void wordsTooManyAreTold() {
        assertEquals("%demo: \"b\" was not expected. It takes [NAME]. Leave it out, or see %demo --help.",
                complaint("a b"));
    }

    @Test
    void helpWinsOverMistakesInWords() throws UsageException {
        assertTrue(options.parse("a b c --help").help());
        assertEquals("""
                %demo [--abbreviated] [--device N] [--by kind|cell] [NAME]
                  Shows things.

                  [NAME]          a variable
                  --abbreviated   fewer rows
                  --device N      of device N
                  --by kind|cell  how to group
                  --help          shows this text
                """, options.help());
    }

    @Test
    void optionsChoicesAndVariablesAreCompleted() {
        assertEquals(List.of("--abbreviated"), options.complete("--a", null));
        assertEquals(List.of("--abbreviated", "--device", "--by", "--help"), options.complete("--", null));
        assertEquals(List.of("kind", "cell"), options.complete("--by ", null));
        assertEquals(List.of("cell"), options.complete("--by c", null));
        assertEquals(List.of("--by=kind", "--by=cell"), options.complete("--by=", null));
        assertEquals(List.of("weights", "width"), options.complete("--abbreviated w", null));
        assertEquals(List.of(), options.complete("--device ", null));
    }

    @Test
    void namesOfFilesAreCompletedAndQuotedWhereTheyHaveBlanks(@TempDir Path folder) throws Exception {
        Files.createFile(folder.resolve("plain.jsh"));
        Files.createFile(folder.resolve("two words.jsh"));
        Files.createDirectory(folder.resolve("inner"));
        Files.createDirectory(folder.resolve("inner most"));
        Options load = Options.of("%load", "x").words("FILE", 1, 1, "y").files().value("into", "FILE", "z");
        assertEquals(List.of(folder + "/plain.jsh"), load.complete(folder + "/pl", null));
        assertEquals(List.of("\"" + folder + "/two words.jsh\""), load.complete("\"" + folder + "/two w", null));
        assertEquals(List.of("'" + folder + "/inner most/"), load.complete("'" + folder + "/inner ", null));
        assertEquals(List.of("--into=" + folder + "/plain.jsh"), load.complete("--into=" + folder + "/p", null));
        assertEquals(List.of(folder + "/plain.jsh"), load.complete("--into " + folder + "/p", null));
        assertEquals(List.of("\"" + folder + "/inner most/", folder + "/inner/"), load.complete(folder + "/in", null));
    }

    @Test
    void javaBeginsBehindTheOptions() {
        Options fit = Options.of("%fit", "x").value("on", "GPU", "y").flag("all", "z").words("CODE", 1, 1, "Java")
                .rest()
                .java();
        assertEquals(-1, fit.codeStart("--on T4"));
        assertEquals(-1, fit.codeStart("--al"));
        assertEquals("--on T4 --all ".length(), fit.codeStart("--on T4 --all f(n"));
        assertEquals("--on=T4 ".length(), fit.codeStart("--on=T4 f(n"));
        assertEquals(-1, options.codeStart("f(n"));
    }

    @Test
    void rawTextKeepsItsDashesButForHelpAlone() throws UsageException {
        Options time = Options.of("%time", "x").words("CODE", 0, 1, "Java").raw().java();
        assertEquals(List.of("--i; \"a  b\""), time.parse(" --i; \"a  b\"").words());
        assertEquals(List.of(), time.parse("  ").words());
        assertTrue(time.parse(" --help ").help());
        assertEquals(0, time.codeStart("--i"));
        assertEquals(-1, time.codeStart("--he"));
    }

    @Test
    void codeIsKeptWholeWhenAsked() throws UsageException {
        Options code = Options.of("%fit", "x").value("device", "D", "y").words("CODE", 1, 1, "Java").rest();
        assertEquals(List.of("f(\"a b\") over n in 1..9"),
                code.parse("--device H100 f(\"a b\") over n in 1..9 ").words());
    }
}
