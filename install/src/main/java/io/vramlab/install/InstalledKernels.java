package io.vramlab.install;

import java.nio.file.Path;

/**
 * The kernels of ours in one place, which may share a distribution under several names.
 *
 * @param places where
 */
record InstalledKernels(JupyterPlaces places) {

    /** Deletes a distribution if it lies in this place and no kernelspec starts it any more. */
    void forget(Path distribution) {
        boolean ours = distribution.startsWith(places.distributions());
        boolean used = Folders.inside(places.data().resolve("kernels")).stream().map(KernelSpec::new)
                .anyMatch(kernel -> kernel.distribution().filter(distribution::equals).isPresent());
        if (ours && !used) {
            Folders.delete(distribution);
            Folders.deleteIfEmpty(places.distributions());
        }
    }
}
