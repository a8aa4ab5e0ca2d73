package io.vramlab.install.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

/** How columns stand. */
class TablesTest {

    private static String alignment(String... column) {
        String table = Tables.markdown(List.of("heading"), List.of(column).stream().map(List::of).toList());
        return table.lines().toList().get(1);
    }

    @Test
    void figuresStandRightAndWordsLeft() {
        assertEquals("| ---: |", alignment("4", "15,931", "before the first"));
        assertEquals("| ---: |",
                alignment("4 bytes", "96.00 KiB (98,304 bytes)", "1,374.00 MiB (1,440,743,424 bytes)"));
        assertEquals("| ---: |", alignment("5.9 %", "95.3 %"));
        assertEquals("| --- |", alignment("4", "train.py:7"));
        assertEquals("| --- |", alignment("2 blocks of 4 MiB"));
    }
}
