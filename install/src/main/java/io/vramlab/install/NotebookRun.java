package io.vramlab.install;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.install.notebook.KernelProcess;
import io.vramlab.install.notebook.NotebookFile;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.Output;

/**
 * What a notebook showed in a fresh kernel.
 *
 * @param cells cell by cell, up to the first error that is none of the notebook's own
 * @param leftOut how many cells were not run because they need a simulated GPU
 * @param after what a cell of the caller's, run after all others, showed
 * @param trouble why the run ended early; empty when it did not
 */
record NotebookRun(List<Shown> cells, int leftOut, List<Output> after, String trouble) {

    /** Nothing was run. */
    static final NotebookRun NONE = new NotebookRun(List.of(), 0, List.of(), "");

    /** The device that stands in for the simulated ones. */
    private static final String REAL = "cuda";

    /** Told of every cell that begins: its number from 1, and how many there are. */
    interface Steps {

        void at(int cell, int cells);
    }

    /** What one cell showed. */
    record Shown(int number, List<Output> outputs) {
    }

    /** Whether that asks for real GPUs in place of the simulated ones that notebooks name. */
    static boolean onRealGpus(String device) {
        return device.equals(REAL);
    }

    /**
     * Looks for a real GPU where one is asked for.
     *
     * @throws CommandFailure when there is none
     */
    static void requireGpu(String device) {
        try {
            if (onRealGpus(device)) {
                Device.select(device);
            }
        } catch (DeviceException none) {
            throw new CommandFailure("The notebooks were to run on a real GPU.", none.getMessage(),
                    "Leave out --device to run them on the GPUs that they name; `vramlab doctor` looks at the driver.");
        }
    }

    /**
     * Runs a notebook.
     *
     * @param device the GPU, as in VRAMLAB_DEVICE; empty for the default one
     * @param cell how long a cell may take
     * @param after a cell to run after all others; empty for none
     */
    static NotebookRun of(NotebookFile notebook, String device, Duration cell, String after, Steps steps)
            throws IOException {
        return of(notebook, device, cell, after, false, steps);
    }

    /** Runs a notebook with its memory's history recorded from the first cell on. */
    static NotebookRun recording(NotebookFile notebook, String device, Duration cell, Steps steps) throws IOException {
        return of(notebook, device, cell, "", true, steps);
    }

    private static NotebookRun of(NotebookFile notebook, String device, Duration cell, String after, boolean recording,
            Steps steps) throws IOException {
        List<Shown> shown = new ArrayList<>();
        int leftOut = 0;
        boolean real = onRealGpus(device);
        try (KernelProcess kernel = real
                ? FreshKernel.onRealGpus(notebook.file(), recording)
                : FreshKernel.of(notebook.file(), device, recording)) {
            for (NotebookFile.CodeCell next : notebook.cells()) {
                steps.at(next.number(), notebook.cells().size());
                if (real && next.needsSimulation()) {
                    kernel.execute("// needs a simulated GPU", cell); // later cells keep their numbers
                    leftOut++;
                    continue;
                }
                List<Output> now = kernel.execute(next.source(), cell);
                shown.add(new Shown(next.number(), now));
                if (!next.mayFail() && now.stream().anyMatch(Output::isError)) {
                    break; // as Jupyter's clients do; what is recorded after it never ran either
                }
            }
            return new NotebookRun(shown, leftOut, after.isEmpty() ? List.of() : kernel.execute(after, cell), "");
        } catch (NotebookException trouble) {
            return new NotebookRun(shown, leftOut, List.of(), trouble.getMessage());
        }
    }

    /** The error that ended the run, if a cell failed that was not to fail. */
    String failure(NotebookFile notebook) {
        Shown last = cells.isEmpty() ? null : cells.getLast();
        if (last == null || notebook.cells().get(last.number() - 1).mayFail()) {
            return "";
        }
        return last.outputs().stream().filter(Output::isError).findFirst()
                .map(error -> "cell " + last.number() + " failed: " + error.name() + ", " + error.text()).orElse("");
    }
}
