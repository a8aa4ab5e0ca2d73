package io.vramlab.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {

    /** 1,023 and 1,048,575 are the last of their unit; 5,242 bytes are the last that would read 0.00 MiB. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0 | 0 bytes", "1 | 1 byte", "-1 | -1 byte", "1023 | 1,023 bytes",
            "1024 | 1.00 KiB (1,024 bytes)", "5242 | 5.12 KiB (5,242 bytes)", "-98304 | -96.00 KiB (-98,304 bytes)",
            "1048575 | 1,024.00 KiB (1,048,575 bytes)", "1048576 | 1.00 MiB (1,048,576 bytes)",
            "1440743424 | 1,374.00 MiB (1,440,743,424 bytes)"})
    void aSizeNeverReadsAsNothingButWhereThereIsNone(long bytes, String text) {
        assertEquals(text, ByteSize.text(bytes));
    }
}
