package io.vramlab.magics;

import io.vramlab.kernel.spi.Magic;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.explain.Explanation;
import io.vramlab.magics.explain.ExplanationText;
import io.vramlab.magics.explain.Figure;
import io.vramlab.magics.explain.Conclusion;
import io.vramlab.magics.explain.LogText;
import io.vramlab.magics.oom.OomWatch;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.magics.text.ReadableSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** {@code %explain}: what the text of an out-of-memory error proves, PyTorch's, JAX's or TensorFlow's. */
public final class ExplainMagic extends OptionMagic {

    private static final String OWN = "This is the last error of this session: %oom tells who held the memory and what would have helped.";

    /** Found by the kernel. */
    public ExplainMagic() {
        super("explain", Options
                .of("%explain",
                        "Tells what an out-of-memory message proves: PyTorch's, CUDA's, JAX's, TensorFlow's and others'.")
                .words("[TEXT|FILE]", 0, 1, "the message, or a file with it in it, such as a log; this session's last "
                        + "out-of-memory error without it")
                .raw()
                .detail("%%explain as the first line of a cell takes the rest of the cell as the message.\n"
                        + "A rounded figure is an interval; what is called proven holds for all that it can stand for.")
                .tells());
    }

    @Override
    public Magic.Kind kind() {
        return Magic.Kind.LINE_AND_CELL;
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String text = call.hasBody() ? call.body() : text(arguments, call);
        boolean own = !call.hasBody() && arguments.words().isEmpty();
        return report(own, Explanation.of(text).orElseThrow(() -> new UsageException(
                "%explain: a text of " + ReadableSizes.count(text.length(), "character")
                        + " was to be explained. No out-of-memory "
                        + "message is in it that " + Explanation.KNOWN + " is known to print. Give the "
                        + "line that says \"out of memory\" or RESOURCE_EXHAUSTED, as it was printed.")));
    }

    private static String text(Arguments arguments, MagicCall call) throws UsageException {
        if (arguments.words().isEmpty()) {
            return OomWatch.of(call.session()).last().map(failure -> failure.error().getMessage())
                    .orElseThrow(
                            () -> new UsageException("%explain: the last out-of-memory error was asked for. There was "
                                    + "none in this session. Give the message, or a file: %explain train.log."));
        }
        String word = arguments.words().get(0);
        try {
            Path file = Path.of(word);
            if (!Files.isRegularFile(file) && LogText.isFileName(word)) {
                throw new UsageException("%explain: " + word + " was to be read. "
                        + (Files.isDirectory(file) ? "That is a folder." : "There is no such file.")
                        + " Name a log with the message in it, or give the message itself.");
            }
            return Files.isRegularFile(file) ? LogText.of(Files.readAllBytes(file)) : word;
        } catch (InvalidPathException message) {
            return word;
        } catch (IOException e) {
            throw new UsageException(
                    "%explain: " + word + " was to be read. " + FileTrouble.why(Path.of(word), e)
                            + " Name a file that can be read, or give the message itself.");
        }
    }

    /** Of an error of this session nothing need be recorded: everything that was true when it failed is known. */
    private static ReportTable report(boolean own, Explanation told) {
        RowBuilder figures = new RowBuilder().text("figure", "printed").number("bytes").text("what it counts");
        for (Figure figure : told.message().figures()) {
            figures.row(figure.name(), figure.amount().shown(), figure.amount().bytes(), figure.meaning());
        }
        RowBuilder findings = new RowBuilder().text("how firmly", "what follows");
        for (Conclusion finding : told.findings()) {
            findings.row(finding.kind().word(), finding.text());
        }
        ReportTable report = findings.report(told.verdict()).note(ExplanationText.source(told))
                .text(own ? ExplanationText.findings(told) + "\n" + OWN + "\n" : ExplanationText.of(told));
        if (figures.count() > 0) {
            report.section(figures.report("The figures"));
        }
        if (own) {
            return report.note(OWN);
        }
        ReportTable next = new RowBuilder().text("line").row(told.next().get(0)).row(told.next().get(1))
                .report("To know more next time, paste these two lines");
        return report.section(next.note(told.why()));
    }
}
