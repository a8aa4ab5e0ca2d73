package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.Progress;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.fit.Fit;
import io.vramlab.magics.fit.FitPicture;
import io.vramlab.magics.fit.Trial;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code %fit}: the largest batch that a GPU has room for, without the GPU. */
public final class FitMagic extends OptionMagic {

    private static final Pattern FORM = Pattern.compile(
            "(.+)\\bover\\s+([A-Za-z_$][\\w$]*)\\s+in\\s+(\\d+)\\s*\\.\\.\\s*(\\d+)",
            Pattern.DOTALL);

    /** Found by the kernel. */
    public FitMagic() {
        super("fit", Options
                .of("%fit", "Finds the largest size with which your code fits a GPU, by trying on a shapes-only one.")
                .words("EXPRESSION over NAME in FROM..TO", 1, 1,
                        "Java that makes and uses tensors on the current device; "
                                + "NAME is an int in it")
                .rest().java()
                .value("on", "GPU", "a GPU's name or a size (%device --profiles); the current device without it",
                        Gpu.profiles())
                .flag("all", "every size that was tried, not only those that tell the curve")
                .flag("png", "the curve as PNG")
                .detail("For instance: %fit --on T4 step(n) over n in 1..4096\n"
                        + "Everything must be made inside of EXPRESSION, on the device that is current then: tensors of other "
                        + "cells lie on other devices. Nothing is computed, so values must not decide what is allocated.\n"
                        + "A real GPU has a little less room: its context and libraries lie outside of the allocator.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        String text = arguments.words().get(0);
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new UsageException(
                    "%fit: \"" + text + "\" was given. It is written EXPRESSION over NAME in FROM..TO. "
                            + "Write for instance %fit step(n) over n in 1..1024.");
        }
        String name = form.group(2);
        int from = number(form.group(3));
        int to = number(form.group(4));
        if (from < 1 || to < from) {
            throw new UsageException(
                    "%fit: the range " + from + ".." + to + " was given. It is empty or begins below 1. "
                            + "Write for instance 1..1024.");
        }
        String profile = arguments.value("on").orElseGet(FitMagic::currentProfile);
        DeviceProperties gpu = arguments.has("on") ? properties(profile) : Device.current().properties();
        Fit fit = search(code(form.group(1).strip(), name, call), from, to, profile);
        RowBuilder rows = new RowBuilder().number(name).text("fits").number("allocated peak bytes",
                "reserved peak bytes");
        List<Trial> shown = arguments.has("all") ? fit.trials() : fit.telling();
        for (Trial trial : shown) {
            rows.row(trial.size(), trial.fits() ? "yes" : "no", trial.allocatedPeak(), trial.reservedPeak());
        }
        String words = fit.largest() < from
                ? "Not even " + name + " = " + from + " fits " + gpu.name()
                : "The largest " + name + " that fits " + gpu.name() + " is " + ReadableSizes.exact(fit.largest())
                        + (fit.largest() == to ? ", the end of the range" : "");
        ReportTable report = rows.report(words);
        if (shown.size() < fit.trials().size()) {
            report.note(ReadableSizes.count(fit.trials().size(), "size") + " tried; --all shows every one.");
        }
        return report.picture(FitPicture.draw(words, name, fit, gpu.totalBytes()), arguments.has("png"));
    }

    /** How many sizes will be tried nobody knows before. */
    private static Fit search(IntFunction<?> code, int from, int to, String profile) {
        try (Progress tried = Progress.ifLong("%fit, sizes tried", 0)) {
            return Fit.search(size -> {
                Object result = code.apply(size);
                tried.step(1);
                return result;
            }, from, to, profile);
        }
    }

    private static int number(String digits) throws UsageException {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new UsageException("%fit: the number " + digits + " was given. It is larger than an int can be, "
                    + Integer.MAX_VALUE + ". Choose a smaller range.");
        }
    }

    private static String currentProfile() {
        DeviceProperties now = Device.current().properties();
        String model = now.name().replace("Simulated ", "");
        return DeviceProfile.find(model).isPresent()
                ? model + ":" + now.totalBytes()
                : String.valueOf(now.totalBytes());
    }

    private static DeviceProperties properties(String profile) throws UsageException {
        try {
            return DeviceProfile.of(profile);
        } catch (DeviceException e) {
            throw new UsageException("%fit --on " + profile + ": " + e.getMessage());
        }
    }

    /** The code as a function: compiled once, as a value if it has one. */
    private static IntFunction<?> code(String expression, String name, MagicCall call) throws Exception {
        Session session = call.session();
        try {
            return (IntFunction<?>) session
                    .evaluate("(java.util.function.IntFunction<Object>) " + name + " -> " + expression, 1);
        } catch (UsageException noValue) {
            IntConsumer consumer = (IntConsumer) session
                    .evaluate("(java.util.function.IntConsumer) " + name + " -> { " + expression + "; }", 1);
            return size -> {
                consumer.accept(size);
                return null;
            };
        }
    }
}
