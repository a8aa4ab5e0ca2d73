package io.vramlab.kernel.internal.magic.builtin;

/** {@code %%svg}: shows the rest of the cell as SVG. */
public final class SvgMagic extends ShownMagic {

    /** Found by the kernel. */
    public SvgMagic() {
        super("svg", "image/svg+xml", "SVG");
    }
}
