package io.vramlab.kernel.internal.magic.builtin;

/** {@code %%javascript}: shows the rest of the cell as JavaScript. */
public final class JavaScriptMagic extends ShownMagic {

    /** Found by the kernel. */
    public JavaScriptMagic() {
        super("javascript", "application/javascript", "JavaScript");
    }
}
