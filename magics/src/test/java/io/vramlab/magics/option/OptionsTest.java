package io.vramlab.magics.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.FakeSession;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

    private final Options options = Options.of("%demo", "Shows things.").flag("abbreviated", "fewer rows")
            .value("device", "N", "of device N").choice("by", List.of("kind", "cell"), "how to group")
            .words("[NAME]", 0, 1, "a variable").variables();

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
        FakeSession session = new FakeSession().put("weights", "int", 1);
        assertEquals(List.of("--abbreviated"), options.complete("--a", session));
        assertEquals(List.of("kind", "cell"), options.complete("--by ", session));
        assertEquals(List.of("weights"), options.complete("--abbreviated w", session));
    }

    @Test
    void codeIsKeptWholeWhenAsked() throws UsageException {
        Options code = Options.of("%fit", "x").value("device", "D", "y").words("CODE", 1, 1, "Java").rest();
        assertEquals(List.of("f(\"a b\") over n in 1..9"),
                code.parse("--device H100 f(\"a b\") over n in 1..9 ").words());
    }
}
