package io.vramlab.magics.text;

import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import java.util.List;
import java.util.stream.Stream;

/** Where something was allocated, for people: what they wrote themselves comes first. */
public final class CallSiteText {

    private CallSiteText() {
    }

    /**
     * {@return a stack as lines: the user's own frame, then every frame; one line that says so where none was recorded}
     *
     * @param site
     *            of {@link CallSites}
     */
    public static List<String> stack(int site) {
        return Stream.concat(Stream.of(line(site)), CallSites.frames(site).stream().map(Frame::toString)).toList();
    }

    /**
     * {@return the innermost frame of the user's own; of the library where there is none}
     *
     * @param site
     *            of {@link CallSites}
     */
    public static String line(int site) {
        List<Frame> frames = CallSites.frames(site);
        return frames.stream().filter(CallSiteText::isUsers).findFirst().or(() -> frames.stream().findFirst())
                .map(Frame::toString).orElse("no call site");
    }

    /** Not of PyTorch, its C++, Python's own library or a package beside it. */
    private static boolean isUsers(Frame frame) {
        String file = frame.file().replace('\\', '/');
        return !file.contains("/site-packages/") && !file.contains("/dist-packages/") && !file.contains("/torch/")
                && !file.startsWith("??") && !file.contains("lib/python") && !file.endsWith(".cpp")
                && !file.endsWith(".h") && !file.startsWith("<frozen");
    }
}
