package io.vramlab.kernel.internal.magic.builtin;

/** {@code %%markdown}: shows the rest of the cell as Markdown. */
public final class MarkdownMagic extends ShownMagic {

    /** Found by the kernel. */
    public MarkdownMagic() {
        super("markdown", "text/markdown", "Markdown");
    }
}
