package io.vramlab.kernel.internal.magic.builtin;

/** {@code %%html}: shows the rest of the cell as HTML. */
public final class HtmlMagic extends ShownMagic {

    /** Found by the kernel. */
    public HtmlMagic() {
        super("html", "text/html", "HTML");
    }
}
