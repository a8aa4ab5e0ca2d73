package io.vramlab.install;

import java.nio.file.Path;

/**
 * The kernels of ours in one place, which may share a distribution under several names.
 *
 * @param places where
 */
record InstalledKernels(JupyterPlaces places) {

    /**
     * Deletes a distribution if it lies in this place and no kernelspec starts it any more.
     *
     * @return false if it is left because a kernel runs from it
     */
    boolean forget(Path distribution) {
        Path folder = distribution.normalize();
        boolean ours = places.distributions().normalize().equals(folder.getParent())
                && folder.getFileName().toString().matches("[0-9a-f]{16}");
        if (!ours || used(distribution)) {
            return true;
        }
        return new Installation(folder).delete();
    }

    /** Deletes what was left because a kernel ran from it, where none does any more. */
    void tidy() {
        Folders.inside(places.distributions()).stream().filter(each -> new Installation(each).abandoned())
                .forEach(this::forget);
        Folders.deleteIfEmpty(places.distributions());
    }

    /** Deletes what installs left that were killed; to be called by the one that has the lock, as nobody copies then. */
    void tidyAfterKilledInstalls() {
        Folders.inside(places.distributions()).stream()
                .filter(each -> each.getFileName().toString().startsWith(Installation.PARTIAL))
                .forEach(Folders::delete);
    }

    private boolean used(Path distribution) {
        return Folders.inside(places.data().resolve("kernels")).stream().map(KernelSpec::new)
                .anyMatch(kernel -> kernel.distribution().filter(distribution::equals).isPresent());
    }
}
