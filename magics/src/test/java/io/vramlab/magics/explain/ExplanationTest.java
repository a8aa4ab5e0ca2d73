package io.vramlab.magics.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void everyWordingOfTheTableHasAMessageThatSomebodyMet() {
        Set<String> met = messages().stream().map(each -> Explanation.of(each.text()).orElseThrow().message().form())
                .collect(Collectors.toSet());
        assertEquals(List.of(),
                Wordings.all().stream().map(Wording::form).filter(form -> !met.contains(form)).toList());
        assertEquals(Wordings.all().size(), Wordings.all().stream().map(Wording::form).distinct().count());
    }

    /** A text is asked for a wording's words before its pattern: a word for each alternative, or the pattern is never tried. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Cuda Error in nvinfer1::internal::DefaultAllocator::allocate: 2 (out of memory) | TensorRT
            exit status 137 | killed, without a reason
            exited with code 137 | killed, without a reason
            Process finished with exit code 137 | killed, without a reason
            exit: 137 | killed, without a reason
            zsh: killed     python train.py | killed, without a reason
            process 1 terminated with signal SIGKILL | killed, without a reason
            ptxas: uses too much shared data (0x12000 bytes, 0xc000 max) | a launch that wants too much
            CUDA error: invalid configuration argument | a launch that wants too much
            CUDA error: misaligned address | an illegal access
            CUDA error: no CUDA-capable device is detected | no GPU to be seen
            CUDA_ERROR_ILLEGAL_ADDRESS | an illegal access
            CUDA error: unspecified launch failure | an illegal access
            ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY | Intel's runtime, device memory
            UR_RESULT_ERROR_OUT_OF_HOST_MEMORY | Intel's runtime, resources
            Command buffer execution failed: Insufficient Memory | Metal's command buffer
            Couldn't open shared file mapping: <torch_1>, error code: <1455> | Windows' paging file
            CUBLAS_STATUS_INTERNAL_ERROR | a library's kernel failed
            CUDNN_STATUS_EXECUTION_FAILED | a library's kernel failed
            cuMemHostAlloc failed: out of memory | pinned memory
            hipHostMalloc failed: out of memory | pinned memory
            cudaHostRegister: out of memory | pinned memory
            cudaMallocHost: out of memory | pinned memory
            Blas xGEMMBatched launch failed | TensorFlow: cuDNN or cuBLAS could not start
            kernel died with exit code 9 | a worker that is gone
            Kernel crashed while executing code | a worker that is gone
            RuntimeError: bad allocation | the computer refused memory
            MemoryError | the computer refused memory
            unable to allocate CPU buffer | a buffer of llama.cpp in the computer's memory
            unable to allocate backend buffer | a buffer of llama.cpp, without an amount
            no valid convolution algorithms available in CuDNN | no algorithm for a convolution
            FIND was unable to find an engine to execute this computation | no algorithm for a convolution
            cuDNN Error: No valid engine configs | no algorithm for a convolution
            java.lang.OutOfMemoryError: GC overhead limit exceeded | Java's heap
            FAILURE maximum pool size exceeded | RAPIDS' pool
            Your notebook tried to allocate more memory than is available | a notebook service's own words
            PT_DEVMEM Allocation failed | PyTorch, without figures
            torch.cuda.OutOfMemoryError | PyTorch, without figures
            MPS backend out of memory | PyTorch, without figures
            State: OUT_OF_MEMORY | out of memory, and no more
            RESOURCE_EXHAUSTED | out of memory, and no more
            Resource exhausted | out of memory, and no more
            not enough GPU memory | out of memory, and no more
            insufficient memory | out of memory, and no more
            EL0004: Failed to allocate memory | out of memory, and no more
            RuntimeError: Insufficient VRAM | a program that counted on more of the GPU
            """)
    void everyAlternativeOfAWordingIsFound(String text, String form) {
        assertEquals(form, Explanation.of(text).orElseThrow().message().form());
    }

    /** A place that no figure fills would be printed as it stands. */
    @ParameterizedTest
    @MethodSource("messages")
    void everyFigureThatASentenceNamesIsFilledIn(MessageCorpus.Case message) {
        assertFalse(ExplanationText.of(Explanation.of(message.text()).orElseThrow()).contains("${"));
    }

    @Test
    void aLookAlikeCountsOnlyWhereNothingSaysThatMemoryRanOut() {
        String killed = "line 28: 8156 Killed python3 main.py\n";
        String full = "RuntimeError: CUDA error: out of memory\n";
        assertEquals(Message.Source.HOST, Explanation.of(killed).orElseThrow().message().source());
        assertEquals(Message.Source.CUDA, Explanation.of(killed + full).orElseThrow().message().source());
        assertEquals("PyTorch, without figures",
                Explanation.of("OOM! CUDA out of memory").orElseThrow().message().form());
    }

    @Test
    void memoryOfAMultiprocessorADiskAndTheComputerAreNotTakenForTheGpus() {
        for (String text : List.of("out of resource: shared memory, Required: 163840, Hardware limit: 101376",
                "OSError: [Errno 28] No space left on device", "Killed", "MemoryError", "exited with code 137",
                "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.0", "cudaHostAlloc failed: out of memory",
                "CUDA error: device-side assert triggered")) {
            List<Conclusion> findings = Explanation.of(text).orElseThrow().findings();
            assertTrue(findings.stream().anyMatch(each -> each.kind() == Conclusion.Kind.EXCLUDED
                    || each.text().startsWith("It was ended for its use of memory: of the computer"))
                    || text.equals("MemoryError"),
                    text + "\n" + findings);
        }
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
        assertEquals(2, told.others().size());
    }

    /** What terminals and launchers put around a message: colours, ranks, pytest's margin, a box. */
    @Test
    void aMessageIsReadThroughWhatATerminalOrALauncherPutsAroundIt() {
        String plain = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a\ntotal capacity of 9.50 GiB"
                + " of which 1.00 GiB is free. Of the allocated memory 7.00 GiB is allocated\nby PyTorch, and 1.20 GiB is reserved"
                + " by PyTorch but unallocated.";
        for (String margin : List.of("[rank3]: ", "[default0]:", "E    ", "> ", "(EngineCore_DP0 pid=17374) ", "│ ")) {
            String log = margin + plain.replace("\n", (margin.equals("│ ") ? " │" : "") + "\n" + margin);
            assertEquals(5, Explanation.of(log).orElseThrow().message().figures().size(), log);
        }
        String coloured = plain.replace("2.00 GiB", "\u001B[1;31m2.00 GiB\u001B[0m").replace("PyTorch",
                "\u001B]8;;https://pytorch.org\u001B\\PyTorch\u001B]8;;\u0007");
        assertEquals(5, Explanation.of(coloured).orElseThrow().message().figures().size());
    }

    /** Every known message has a word by which it is found in a log of more than a million characters, of which not all is read. */
    @ParameterizedTest
    @MethodSource("messages")
    void aMessageIsFoundInTheMiddleOfALongLog(MessageCorpus.Case message) {
        String steps = "step 17, loss 0.25, 12 samples a second\n".repeat(14_000);
        Message alone = Explanation.of(message.text()).orElseThrow().message();
        Message found = Explanation.of(steps + message.text() + "\n" + steps).orElseThrow().message();
        assertEquals(alone.figures(), found.figures());
        assertEquals(alone.text(), found.text());
    }

    @Test
    void aLogFromPowerShellIsReadAndOneInUtf8() {
        String message = messages().get(1).text();
        for (byte[] bytes : List.of(("\uFEFF" + message).getBytes(StandardCharsets.UTF_16LE),
                message.getBytes(StandardCharsets.UTF_8))) {
            assertEquals(5, Explanation.of(LogText.of(bytes)).orElseThrow().message().figures().size());
        }
    }

    @Test
    void theUsersOwnLineAboveTheMessageIsTold() {
        String message = messages().get(1).text();
        String log = """
                Traceback (most recent call last):
                  File "/home/u/my project/train.py", line 41, in <module>
                    step()
                  File "/home/u/my project/train.py", line 17, in step
                    y = model(x)
                  File "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py", line 1751, in _call_impl
                    return forward_call(*args, **kwargs)
                """ + message;
        assertTrue(notes(log).contains("Asked for in train.py:17 (step),"), notes(log));
        String cell = "Cell In[3], line 5\n      4 x = big()\nFile /opt/venv/lib/python3.12/site-packages/torch/x.py:9, in f(a)\n"
                + message;
        assertTrue(notes(cell).contains("Asked for in Cell In[3], line 5,"), notes(cell));
        assertTrue(!notes(message).contains("Asked for in"), notes(message));
    }

    @Test
    void ofTheRanksOfAJobTheOtherGpusAreNamed() {
        String first = messages().stream().filter(each -> each.thread().endsWith("CADS/issues/4")).findFirst()
                .orElseThrow().text();
        String log = first + "\n" + first.replace("GPU 0", "GPU 2") + "\n" + first.replace("GPU 0", "GPU 1");
        String source = ExplanationText.source(Explanation.of(log).orElseThrow());
        assertTrue(
                source.endsWith("The text holds 2 other such messages (of GPU 1, 2); the first of GPU 0 is explained."),
                source);
    }

    private static String notes(String log) {
        return Explanation.of(log).orElseThrow().findings().toString();
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
