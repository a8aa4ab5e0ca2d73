package io.vramlab.kernel.eval;

import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/** Source in memory. */
public final class SourceText extends SimpleJavaFileObject {

    private final String text;

    /** The source of a class of the package of cells. */
    public SourceText(String className, String text) {
        super(URI.create("cell:///REPL/" + className + ".java"), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }
}
