package io.vramlab.kernel.eval;

import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/** Source in memory. */
final class SourceText extends SimpleJavaFileObject {

    private final String text;

    SourceText(String className, String text) {
        super(URI.create("cell:///REPL/" + className + ".java"), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }
}
