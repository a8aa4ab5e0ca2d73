package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds Triton's refusal of a kernel that wants more of a multiprocessor than it has. */
final class KernelMessages {

    private static final Pattern REFUSED = Pattern.compile(
            "out of resource: (shared memory|threads|registers|tensor memory|triton_\\w+)[, ]*Required: (\\d+)[, ]*Hardware limit(?:ation)?: ?(\\d+)");

    private KernelMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher refused = REFUSED.matcher(text);
        while (refused.find()) {
            // torch.compile names its kernel there, and counts shared memory
            String what = refused.group(1).startsWith("triton_") ? "shared memory" : refused.group(1);
            boolean shared = what.equals("shared memory");
            found.add(new Message(Message.Source.TRITON, what, "every one", -1, !shared
                    ? List.of()
                    : List.of(new Figure(Role.TRIED, "required", Amount.exactly(Long.parseLong(refused.group(2))),
                            "shared memory that one block of the kernel wants"),
                            new Figure(Role.ALLOWED, "hardware limit", Amount.exactly(Long.parseLong(refused.group(3))),
                                    "what one block may have on this GPU")),
                    refused.start(), refused.group()));
        }
        return found;
    }
}
