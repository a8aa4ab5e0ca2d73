package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What people type who do not know the names yet, in a real kernel. */
class MistypedTest extends InOneKernel {

    @Test
    void aHyphenForAnUnderscoreIsUnderstoodAndTheBeginningOfAName() {
        String hyphen = notebook.run("%memory-summary").error();
        assertTrue(hyphen.contains("(did you mean %memory_summary?)"), hyphen);
        String begun = notebook.run("%memory").error();
        assertTrue(begun.contains("(did you mean %memory_diff, %memory_fraction, %memory_map, "), begun);
        String cell = notebook.run("%%explian\nCUDA out of memory").error();
        assertTrue(cell.contains("(did you mean %%explain?)"), cell);
    }

    @Test
    void aDeviceMayHaveBlanksInItsNameAndInItsSize() {
        assertTrue(notebook.ok("%device 8 GiB").last().contains("8,589,934,592"));
        assertTrue(notebook.ok("%device RTX 4090").last().contains("Simulated RTX-4090"));
        String neither = notebook.run("%device 8GB please").error();
        assertTrue(neither.contains("that is neither a size nor a known GPU. Write a size as 8GiB"), neither);
    }

    @Test
    void settingsWithoutTheirOptionAreNotTakenForAFile() {
        String told = notebook.run("%what_if max_split_size_mb=64").error();
        assertTrue(told.contains("Settings are an option: %what_if --conf max_split_size_mb:64"), told);
    }

    @Test
    void aLogThatIsNotThereIsNotTakenForAMessage() {
        String missing = notebook.run("%explain train.log").error();
        assertTrue(missing.contains("train.log was to be read. There is no such file."), missing);
    }
}
