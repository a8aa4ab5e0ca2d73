package io.vramlab.kernel.internal.eval;

import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/** Source in memory. */
public final class SourceText extends SimpleJavaFileObject {

    private final String className;
    private final String text;

    /** The source of a class of the package of cells. */
    public SourceText(String className, String text) {
        super(URI.create("cell:///REPL/" + className + ".java"), Kind.SOURCE);
        this.className = className;
        this.text = text;
    }

    /** The class that it is named after, without the package. */
    public String className() {
        return className;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }
}
