package io.vramlab.kernel.magic.builtin;

/** {@code %%latex}: shows the rest of the cell as LaTeX. */
public final class LatexMagic extends ShownMagic {

    /** Found by the kernel. */
    public LatexMagic() {
        super("latex", "text/latex", "LaTeX");
    }
}
