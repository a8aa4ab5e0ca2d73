package io.vramlab.magics.live;

import io.vramlab.device.Device;
import io.vramlab.magics.hold.HoldPath;
import io.vramlab.magics.hold.Root;
import io.vramlab.magics.text.ReadableSizes;

/**
 * One piece of device memory that something holds.
 *
 * @param id
 *            number of the oldest open tensor on it, 0 without one
 * @param device
 *            where it lies
 * @param address
 *            device address
 * @param bytes
 *            as asked for
 * @param kind
 *            what it is for, for instance {@code Activation}
 * @param form
 *            dtype and shape, for instance {@code float32[2, 3]}; empty without an open tensor
 * @param path
 *            a shortest way to it from a root, null if none was found
 * @param holders
 *            tensors, views and graph nodes that hold it
 * @param handles
 *            open tensors among them
 * @param cell
 *            number of the cell that made it, 0 if that is not known
 * @param line
 *            line in that cell
 * @param stack
 *            where it was made, innermost frame first, one per line; empty if that was not recorded
 */
public record LiveTensor(long id, Device device, long address, long bytes, String kind, String form, HoldPath path,
        int holders, int handles, int cell, int line, String stack) {

    /** What a person calls it; empty when nothing that has a name holds it. */
    public String name() {
        return path == null ? "" : path.text();
    }

    /** The cell and line that made it, {@code In [7]:12}; empty if that is not known. */
    public String madeAt() {
        int lineBreak = stack.indexOf('\n');
        return cell > 0 ? "In [" + cell + "]:" + line : lineBreak < 0 ? stack : stack.substring(0, lineBreak);
    }

    /** Its name, or else what can be said of it. */
    public String called() {
        if (path != null) {
            return path.text();
        }
        return madeAt().isEmpty() ? "unnamed" : "unnamed, " + madeAt();
    }

    /** What holds it, in words. */
    public String heldBy() {
        if (path == null) {
            return handles > 0 ? "only an unclosed handle: the collector will find it" : "a graph or the runtime";
        }
        String others = holders > 1 ? " and " + ReadableSizes.count(holders - 1L, "other") : "";
        return path.root().kind().text() + others;
    }

    /** True when no variable that a cell can name leads to it: a candidate for a leak. */
    public boolean isForgotten() {
        return path == null
                ? handles > 0
                : path.root().kind() == Root.Kind.RESULT || path.root().kind() == Root.Kind.REPLACED;
    }
}
