package io.vramlab.kernel.internal.magic;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Names that IPython has for what is a magic here too. */
final class Aliases {

    /**
     * What a name stands for.
     *
     * @param magic
     *            the magic
     * @param arguments
     *            what its arguments begin with
     */
    record Meaning(String magic, String arguments) {

        /** The arguments with what was written after the name. */
        String before(String written) {
            return (arguments + " " + written).strip();
        }
    }

    static final Map<String, Meaning> NAMES = names();

    private Aliases() {
    }

    private static Map<String, Meaning> names() {
        Map<String, Meaning> names = new TreeMap<>();
        for (String program : new String[]{"ls", "cat", "cp", "mv", "rm", "mkdir", "rmdir"}) {
            names.put(program, new Meaning("sh", program));
        }
        names.put("ll", new Meaning("sh", "ls -l"));
        names.put("system", new Meaning("sx", ""));
        for (String program : new String[]{"bash", "python3", "perl", "ruby"}) {
            names.put(program, new Meaning("script", program));
        }
        names.put("python", new Meaning("script", "python3"));
        names.put("whos", new Meaning("who", ""));
        names.put("who_ls", new Meaning("who", ""));
        names.put("run", new Meaning("load", ""));
        names.put("hist", new Meaning("history", ""));
        names.put("reset_selective", new Meaning("reset", ""));
        names.put("file", new Meaning("writefile", ""));
        names.put("js", new Meaning("javascript", ""));
        names.put("pdoc", new Meaning("pinfo", ""));
        names.put("pdef", new Meaning("pinfo", ""));
        names.put("pinfo2", new Meaning("pinfo", "--full"));
        names.put("magic", new Meaning("lsmagic", ""));
        names.put("quickref", new Meaning("help", ""));
        names.put("set_env", new Meaning("env", ""));
        return Collections.unmodifiableMap(names);
    }
}
