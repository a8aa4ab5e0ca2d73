package io.vramlab.gpu;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import io.vramlab.device.Device;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs every test of some folders of test classes on this machine's GPUs, which stand in for the simulated ones, and
 * accounts for each: run, failed, or skipped and why. Tests that lose a device get a process of their own, because nothing
 * brings a real GPU back within one.
 */
public final class RealGpuTests {

    private static final Set<String> LOSING = Set.of("loses-device", "gpu-fault");
    private static final String SEVERAL = "gpus";
    private static final String SIMULATED = "simulated";

    private final Launcher launcher = LauncherFactory.create();
    private final Account account = new Account();

    private RealGpuTests() {
    }

    /**
     * Runs them.
     *
     * @param arguments
     *            folders of test classes, or unique ids of tests
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RealGpuTests run = new RealGpuTests();
        if (arguments[0].startsWith("[")) {
            run.execute(Arrays.stream(arguments).map(id -> (DiscoverySelector) selectUniqueId(id)).toList(), Set.of());
        } else {
            Device.select("cuda"); // which says why, where there is none
            Device.realForSimulated(true);
            int gpus = Device.all().size();
            Device.select("sim");
            run.everything(Arrays.stream(arguments).map(Path::of).collect(Collectors.toSet()), gpus);
        }
        System.exit(run.account.tell(System.out) ? 0 : 1);
    }

    private void everything(Set<Path> roots, int gpus) throws IOException, InterruptedException {
        List<DiscoverySelector> all = new ArrayList<>(selectClasspathRoots(roots));
        for (TestIdentifier test : losing(all)) {
            alone(test);
        }
        Set<String> left = new HashSet<>(LOSING);
        left.add(SIMULATED);
        tagged(all, SIMULATED).forEach(t -> account.skipped(t, "is about what only the simulated GPU does"));
        if (gpus < 2) {
            left.add(SEVERAL);
            tagged(all, SEVERAL).forEach(t -> account.skipped(t, "needs two GPUs, and this machine has " + gpus));
        }
        execute(all, left);
    }

    private List<TestIdentifier> losing(List<DiscoverySelector> all) {
        return LOSING.stream().flatMap(tag -> tagged(all, tag).stream()).toList();
    }

    private List<TestIdentifier> tagged(List<DiscoverySelector> selectors, String tag) {
        TestPlan plan = launcher.discover(request(selectors, Set.of()));
        return plan.getRoots().stream().flatMap(root -> plan.getDescendants(root).stream())
                .filter(t -> t.isTest() && tags(t).contains(tag)).toList();
    }

    private static Set<String> tags(TestIdentifier test) {
        return test.getTags().stream().map(TestTag::getName).collect(Collectors.toSet());
    }

    private static LauncherDiscoveryRequest request(List<DiscoverySelector> selectors, Set<String> without) {
        PostDiscoveryFilter filter = test -> FilterResult.includedIf(
                test.getTags().stream().map(TestTag::getName).noneMatch(without::contains));
        return LauncherDiscoveryRequestBuilder.request().selectors(selectors)
                .filters(ClassNameFilter.includeClassNamePatterns(".*Test"), filter).build();
    }

    private void execute(List<DiscoverySelector> selectors, Set<String> without) {
        launcher.execute(request(selectors, without), account);
    }

    /** In a process of its own; what it prints is shown when it fails. */
    private void alone(TestIdentifier test) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector",
                "-cp", System.getProperty("java.class.path"),
                RealGpuTests.class.getName(), test.getUniqueId()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("VRAMLAB_SIMULATED", "real");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        account.ran(test, process.waitFor() == 0
                ? ""
                : said.lines().filter(line -> !line.startsWith("WARNING")).collect(Collectors.joining(" | ")));
    }

    /** What became of each test. */
    private static final class Account implements TestExecutionListener {

        private int run;
        private final Map<String, String> failed = new TreeMap<>();
        private final Map<String, List<String>> skipped = new TreeMap<>();
        private TestPlan plan;

        void ran(TestIdentifier test, String failure) {
            run++;
            if (!failure.isEmpty()) {
                failed.put(name(test), failure);
            }
        }

        void skipped(TestIdentifier test, String why) {
            skipped.computeIfAbsent(why, w -> new ArrayList<>()).add(name(test));
        }

        @Override
        public void testPlanExecutionStarted(TestPlan started) {
            plan = started;
        }

        @Override
        public void executionSkipped(TestIdentifier test, String why) {
            skipped(test, why);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String why = result.getThrowable().map(Throwable::toString).orElse("");
            switch (result.getStatus()) {
                case SUCCESSFUL -> run += test.isTest() ? 1 : 0;
                case ABORTED -> skipped(test, why.replaceFirst("^[\\w.]+: ", ""));
                case FAILED -> ran(test, why);
            }
        }

        private String name(TestIdentifier test) {
            String parent = plan == null
                    ? ""
                    : plan.getParent(test).map(TestIdentifier::getDisplayName).map(p -> p + " ").orElse("");
            return parent + test.getLegacyReportingName();
        }

        boolean tell(PrintStream out) {
            failed.forEach((test, why) -> out.println("FAILED " + test + ": " + why));
            skipped.forEach((why, tests) -> out.println("skipped " + tests.size() + ", " + why + ": "
                    + String.join(", ", tests)));
            int left = skipped.values().stream().mapToInt(List::size).sum();
            out.printf(Locale.ROOT, "%d tests run, %d failed, %d skipped%n", run, failed.size(), left);
            return failed.isEmpty();
        }
    }
}
