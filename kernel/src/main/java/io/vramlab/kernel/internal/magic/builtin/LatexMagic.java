package io.vramlab.kernel.internal.magic.builtin;

/** {@code %%latex}: shows the rest of the cell as LaTeX. */
public final class LatexMagic extends ShownMagic {

    /** Found by the kernel. */
    public LatexMagic() {
        super("latex", "text/latex", "LaTeX");
    }
}
