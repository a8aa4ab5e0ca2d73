package io.vramlab.install;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.vramlab.kernel.KernelMain;
import io.vramlab.kernel.spi.option.Nearest;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code vramlab} command. */
@Command(name = "vramlab", addMethodSubcommands = false, mixinStandardHelpOptions = true, versionProvider = Main.Version.class, synopsisSubcommandLabel = "COMMAND", exitCodeListHeading = "Exit status:%n", exitCodeList = {
        "0:it did what it was asked to", "1:it could not, or what it checked is not so",
        "2:it was asked wrongly"}, description = "CUDA out of memory: why, on which line, and what would have helped. And a Jupyter kernel for experiments with GPU memory: Java cells, PyTorch's allocator. No GPU is needed.")
public final class Main implements Callable<Integer> {

    /** A class of its own, so that what needs no list of them loads none of them. */
    private static final class Subcommands {

        /** In the order in which help tells them: what somebody out of memory needs, the kernel, what looks after notebooks. */
        static final List<Class<?>> ALL = List.of(ExplainCommand.class, ReportCommand.class,
                PlanCommand.class, WhatIfCommand.class, ViewCommand.class, DiffCommand.class, InstallCommand.class,
                UninstallCommand.class, DoctorCommand.class, KernelCommand.class, CourseCommand.class,
                ReplayCommand.class, VerifyCommand.class, GrowthCommand.class, ArticlesCommand.class,
                ConformanceCommand.class, BenchCommand.class, HelpCommand.class);

        private Subcommands() {
        }
    }

    /** Exit status: the command did what it was asked to. */
    static final int OK = 0;
    /** Exit status: it could not, or what it checked is not so. */
    static final int FAILED = 1;
    /** Exit status: it was asked wrongly. */
    static final int USAGE = 2;
    /** So many names are told that may have been meant. */
    private static final int MOST_MEANT = 3;
    /** Characters of a mistaken command line that are shown. */
    private static final int MOST_TYPED = 200;

    @Spec
    private CommandSpec spec;

    /** Runs one command and ends the process with its exit status; the kernel ends it itself. */
    public static void main(String[] args) throws IOException {
        HomeFolder.asJupyterSees(System.getenv("HOME"));
        if (args.length == 2 && args[0].equals("kernel") && !args[1].startsWith("-")) {
            Thread.ofPlatform().daemon().name("installed-copy").start(Installation::hold);
            // without picocli, whose old class files no ahead-of-time cache takes: a quarter of the time to the first answer
            KernelMain.run(Path.of(args[1]));
            return;
        }
        System.exit(ExplainCommand.isPlain(args)
                ? ExplainCommand.plain(args, System.out, System.err)
                : commandLineFor(args).execute(args));
    }

    /** The command line with all commands. */
    static CommandLine commandLine() {
        return with(Subcommands.ALL);
    }

    /**
     * The command line for these arguments: with the command alone that the first one names, since to look at the options
     * of all others takes longer than many commands do; with all of them where it names none.
     */
    static CommandLine commandLineFor(String... args) {
        List<Class<?>> named = Subcommands.ALL.stream().filter(each -> args.length > 0 && isNamed(each, args[0]))
                .toList();
        return with(named.isEmpty() || named.contains(HelpCommand.class) ? Subcommands.ALL : named);
    }

    /** Whether {@code what-if} is the name of {@code WhatIfCommand}. */
    private static boolean isNamed(Class<?> command, String name) {
        return command.getSimpleName().equalsIgnoreCase(name.replace("-", "") + "Command");
    }

    /** The command line of some commands, with this project's way of telling errors. */
    private static CommandLine with(List<Class<?>> commands) {
        CommandLine line = new CommandLine(new Main());
        commands.forEach(line::addSubcommand);
        line.setOut(writer(System.out));
        line.setErr(writer(System.err));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command,
                parsed) -> failed(command.getCommandSpec().qualifiedName(), failure, command.getErr()));
        line.setExecutionStrategy(parsed -> {
            Integer helped = CommandLine.executeHelpRequest(parsed); // in colours, on a terminal
            if (helped != null) {
                return helped;
            }
            CommandLine root = parsed.commandSpec().commandLine();
            root.setOut(new TerminalText(root.getOut()));
            root.setErr(new TerminalText(root.getErr()));
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setParameterExceptionHandler((mistake, arguments) -> {
            CommandLine command = mistake.getCommandLine();
            String name = command.getCommandSpec().qualifiedName();
            PrintWriter err = new TerminalText(TerminalText.raw(command.getErr()));
            err.println(name + ": " + asked(arguments) + " was called.");
            err.println(mistaken(mistake));
            err.println("See: " + name.replaceFirst("^vramlab", StartedAs.command()) + " --help");
            return USAGE;
        });
        ITypeConverter<Long> whole = text -> {
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException other) {
                throw new TypeConversionException("'" + text + "' is not a whole number");
            }
        };
        ITypeConverter<Integer> small = text -> {
            long number = whole.convert(text);
            if (number != (int) number) {
                throw new TypeConversionException("'" + text + "' is too large");
            }
            return (int) number;
        };
        line.registerConverter(long.class, whole);
        line.registerConverter(Long.class, whole);
        line.registerConverter(int.class, small);
        line.registerConverter(Integer.class, small);
        return line;
    }

    /** Of UTF-8, whatever the terminal's locale. */
    static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** Tells why a command could not do what it was asked to. */
    static int failed(String command, Exception failure, PrintWriter err) {
        err.println(command + ": " + reason(failure));
        if (System.getenv("VRAMLAB_DEBUG") != null) {
            failure.printStackTrace(err);
        }
        return FAILED;
    }

    /** Without a command: what to type for what one has. */
    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        String name = StartedAs.command();
        err.println("A command is missing. For");
        err.println("  the text of an out-of-memory error, or a log:  " + name + " explain train.log");
        err.println("  a memory snapshot of PyTorch:                  " + name + " report snapshot.pickle");
        err.println("  a script, and no GPU:                          " + StartedAs.recorder()
                + " train.py, then " + name + " plan train.trace");
        err.println("  a notebook to try things in:                   " + name + " install");
        err.println("All commands: " + name + " --help");
        return USAGE;
    }

    /** What is wrong with it, and what may have been meant. */
    private static String mistaken(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().getFirst();
            boolean option = unmatched.isUnknownOption();
            boolean command = !option && mistake.getCommandLine().getParent() == null;
            if (command || option && !unmatched.getSuggestions().isEmpty()) {
                String near = (command
                        ? Nearest.of(word, mistake.getCommandLine().getSubcommands().keySet()).stream()
                        : unmatched.getSuggestions().stream().limit(MOST_MEANT)).collect(Collectors.joining(", "));
                return "'" + word + (command ? "' is no command" : "' is no option")
                        + (near.isEmpty() ? "." : ". Did you mean " + near + "?");
            }
        }
        return mistake.getMessage() + (mistake.getMessage().endsWith(".") ? "" : ".");
    }

    /** What was typed, in one line and not all of a very long one. */
    private static String asked(String[] arguments) {
        String typed = ("vramlab " + String.join(" ", arguments)).strip().replaceAll("\\R", " ");
        return typed.length() <= MOST_TYPED ? typed : typed.substring(0, MOST_TYPED) + " …";
    }

    private static String reason(Exception failure) {
        return switch (failure) {
            case CommandFailure known -> known.getMessage();
            case UncheckedIOException wrapped -> reason(wrapped.getCause());
            default -> failure
                    + "\nThis was not foreseen.\nRun it again with VRAMLAB_DEBUG=1 for the whole story, and please report it.";
        };
    }

    /** The version in the jar's manifest; a build that is not packaged has none. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[]{"vramlab " + text() + ", Java " + Runtime.version()};
        }

        /** For instance {@code 0.1.0}. */
        static String text() {
            String version = Main.class.getPackage().getImplementationVersion();
            return version == null ? "(not packaged)" : version;
        }
    }
}
