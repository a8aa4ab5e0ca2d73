package io.vramlab.magics.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExplanationTest {

    static List<MessageCorpus.Case> messages() {
        return MessageCorpus.all();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageOfAPublicThreadIsReadAndJudged(MessageCorpus.Case message) {
        Explanation told = Explanation.of(message.text()).orElseThrow();
        assertEquals(message.source(), told.message().source().name());
        assertEquals(message.figures(), told.message().figures().size(), told.message().figures().toString());
        assertTrue(told.verdict().startsWith(message.verdict()), told.verdict() + "\n" + told.findings());
        for (String expected : message.finds()) {
            String kind = expected.substring(0, expected.indexOf(' '));
            String words = expected.substring(kind.length() + 1);
            boolean found = told.findings().stream().anyMatch(
                    f -> f.kind().word().equals(kind) && (words.equals("nothing") || f.text().contains(words)));
            assertEquals(!words.equals("nothing"), found, expected + "\n" + told.findings());
        }
        assertEquals(2, told.next().size());
        assertTrue(told.next().stream().noneMatch(String::isBlank) && !told.why().isBlank());
    }

    /** However the figures were rounded, what is called proven must hold: no message is both. */
    @ParameterizedTest
    @MethodSource("messages")
    void nothingIsProvenAndExcludedAtOnce(MessageCorpus.Case message) {
        Explanation told = Explanation.of(message.text()).orElseThrow();
        long limit = told.findings().stream().filter(f -> f.text().startsWith("The limit:"))
                .map(Conclusion::kind).distinct().count();
        assertTrue(limit <= 1, told.findings().toString());
    }

    @Test
    void aTextWithoutSuchAMessageIsLeftAlone() {
        assertEquals(Optional.empty(), Explanation.of("RuntimeError: shape mismatch [2, 3] and [4, 5]"));
        assertEquals(Optional.empty(), Explanation.of(""));
    }

    @Test
    void ofALogWithSeveralTheFirstWithTheMostFiguresIsExplainedAndTheOthersCounted() {
        String first = messages().get(1).text();
        String log = "RuntimeError: CUDA error: out of memory\n" + first + "\nretrying\n"
                + first.replace("1.72 GiB (", "1.50 GiB (");
        Explanation told = Explanation.of(log).orElseThrow();
        assertEquals("1.72 GiB", told.message().amount(Role.TRIED).orElseThrow().text());
        assertEquals(2, told.others());
    }

    @Test
    void aMessageCutAnywhereIsReadOrLeftAndNeverThrows() {
        for (MessageCorpus.Case message : messages()) {
            for (int end = 0; end < message.text().length(); end += 7) {
                Explanation.of(message.text().substring(0, end));
            }
        }
    }

    @Test
    void aRoundedFigureStandsForEveryValueThatItCanHaveBeen() {
        Amount amount = Amount.parse("1.72 GiB").orElseThrow();
        // half a hundredth of a GiB: 0.005 * 2^30 = 5,368,709.12
        assertEquals(5_368_710, amount.slack());
        assertTrue(amount.canEqual(Amount.exactly(1_846_835_937L + 5_368_000)));
        assertTrue(amount.surelyBelow(Amount.exactly(1_846_835_937L + 5_369_000)));
        assertEquals(Amount.exactly(33_554_432).bytes(), Amount.parse("32.00MiB").orElseThrow().bytes());
        assertEquals(0, Amount.parse("0 bytes").orElseThrow().most());
    }
}
