package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds failures of the computer's own memory, which people take for the GPU's. */
final class HostMessages {

    static final String SHARED = "shared memory";
    static final String KILLED = "killed";
    static final String KILLED_FOR_MEMORY = "killed for its memory";

    private static final Pattern CPU_ALLOCATOR = Pattern
            .compile("DefaultCPUAllocator: (?:can't allocate|not enough) memory: you tried to allocate (\\d+) ?bytes",
                    Pattern.CASE_INSENSITIVE);
    private static final Pattern NUMPY = Pattern
            .compile("Unable to allocate (" + Amount.PATTERN + ") for an array with shape");
    private static final Pattern SHM = Pattern.compile(
            "DataLoader worker \\(pid\\(?s?\\)? ?[\\d, ]+\\) is killed by signal: Bus error|unable to (?:open|write to|mmap)"
                    + " (?:shared memory object|file) </torch_|No space left on device \\(28\\)\\D{0,40}torch_"
                    + "|Unexpected bus error encountered in worker|Error while creating shared memory segment \\S+"
                    + "|posix_fallocate failed ?: No space left on device|failed to extend /dev/shm/\\S+");
    private static final Pattern BY_KERNEL = Pattern.compile("Out of memory: Killed process \\d+|oom-kill:constraint="
            + "|Memory cgroup out of memory|OOMKilled|Detected \\d+ oom[-_]kill event|srun: error: \\S+: tasks? \\S+: Out Of Memory"
            + "|have been OOM Killed|Exceeded (?:job|step) memory limit|Workers \\(tasks / actors\\) killed due to memory pressure");
    private static final Pattern BY_SIGNAL = Pattern
            .compile("DataLoader worker \\(pid\\(?s?\\)? ?[\\d, ]+\\) is killed by signal: Killed"
                    + "|exitcode ?: -9 \\(pid|Signal 9 \\(SIGKILL\\) received by PID|died with <Signals\\.SIGKILL: 9>");

    private HostMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        amounts(found, CPU_ALLOCATOR.matcher(text), "DefaultCPUAllocator", " bytes");
        amounts(found, NUMPY.matcher(text), "NumPy", "");
        named(found, SHM.matcher(text), SHARED);
        named(found, BY_KERNEL.matcher(text), KILLED_FOR_MEMORY);
        named(found, BY_SIGNAL.matcher(text), KILLED);
        return found;
    }

    private static void amounts(List<Message> found, Matcher refused, String form, String unit) {
        while (refused.find()) {
            found.add(new Message(Message.Source.HOST, form, "every one", -1,
                    List.of(new Figure(Role.TRIED, "tried to allocate",
                            Amount.parse(refused.group(1) + unit).orElseThrow(),
                            "one array or tensor in the computer's memory")),
                    refused.start(), refused.group()));
        }
    }

    private static void named(List<Message> found, Matcher told, String form) {
        while (told.find()) {
            found.add(new Message(Message.Source.HOST, form, "every one", -1, List.of(), told.start(), told.group()));
        }
    }
}
