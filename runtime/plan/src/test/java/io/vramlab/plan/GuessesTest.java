package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a recorder guessed is told by line of the program. */
class GuessesTest {

    private static final String SET = "how many elements of a mask are set is not known without a GPU";
    private static final String VALUE = "the value of a tensor is not known without a GPU";

    private static String note(int site, String text) {
        return "[\"n\"," + site + ",\"" + text + "\"]\n";
    }

    private static final String SITES = "[\"F\",1,[[\"/home/me/train.py\",7,\"step\"]]]\n"
            + "[\"F\",2,[[\"/home/me/train.py\",7,\"step\"],[\"/home/me/train.py\",30,\"main\"]]]\n"
            + "[\"F\",3,[[\"/home/me/train.py\",9,\"step\"]]]\n";

    @Test
    void aLineIsNamedOnceWithHowManyNumbersWereTaken() throws IOException {
        StringBuilder lines = new StringBuilder(SITES);
        for (int number = 20; number <= 30; number++) {
            lines.append(note(1 + number % 2, SET + "; taken as " + number)).append(note(3, VALUE + "; taken as 1.0"));
        }
        assertEquals(List.of("train.py:7: " + SET + "; taken as 20, then 21, then 22 and 8 others",
                "train.py:9: " + VALUE + "; taken as 1.0"), Recordings.of(lines.toString()).notes());
    }

    @Test
    void ofALineEachThingThatIsNotKnownIsToldOnce() throws IOException {
        String lines = SITES + note(1, SET + "; taken as 4") + note(1, VALUE + "; taken as True")
                + note(2, SET + "; taken as 6") + note(1, "weights are not loaded") + note(2, "weights are not loaded");
        assertEquals(List.of("train.py:7: " + SET + "; taken as 4, then 6. Also: " + VALUE
                + "; taken as True. Also: weights are not loaded"), Recordings.of(lines).notes());
    }
}
