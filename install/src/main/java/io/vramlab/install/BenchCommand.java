package io.vramlab.install;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;

import com.google.gson.GsonBuilder;

import io.vramlab.memory.internal.bench.AllocatorBench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the allocator on this machine. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Measure the allocator on this machine: nanoseconds per allocation and release (_ns), milliseconds per task (_ms). "
        + "Takes a few seconds; medians after warming up.")
final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "print an object of names and figures")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Double> figures;
        try (ProgressLine progress = ProgressLine.on(spec.commandLine().getErr())) {
            figures = AllocatorBench.run(progress);
        }
        if (json) {
            out.println(new GsonBuilder().setPrettyPrinting().create().toJson(figures));
        } else {
            figures.forEach((name, figure) -> out.printf("%-28s %,12.1f%n", name, figure));
        }
        return Main.OK;
    }
}
