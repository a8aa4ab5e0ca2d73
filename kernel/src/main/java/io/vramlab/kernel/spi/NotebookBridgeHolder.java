package io.vramlab.kernel.spi;

/** Where the kernel of this process is kept; an interface cannot have a field that changes. */
final class NotebookBridgeHolder {

    static volatile NotebookBridge kernel;

    private NotebookBridgeHolder() {
    }
}
