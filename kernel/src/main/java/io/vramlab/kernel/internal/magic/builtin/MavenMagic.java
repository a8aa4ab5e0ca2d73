package io.vramlab.kernel.internal.magic.builtin;

import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code %maven GROUP:ARTIFACT:VERSION…}: libraries with all that they need. Asks the Maven that is installed, so mirrors,
 * proxies and passwords of the user's settings hold here too.
 */
public final class MavenMagic extends OptionMagic {

    private static final String COORDINATE = "[\\w.-]+:[\\w.-]+:[\\w.-]+(:[\\w.-]+)?";

    /** Found by the kernel. */
    public MavenMagic() {
        super("maven", Options.of("%maven", "Adds libraries with what they need, by the Maven that is installed.")
                .words("GROUP:ARTIFACT:VERSION[:CLASSIFIER] …", 1, Integer.MAX_VALUE,
                        "the libraries, for instance com.google.guava:guava:33.0.0-jre")
                .detail("Mirrors, proxies and passwords of your Maven settings hold here too."));
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        List<String> wanted = arguments.words();
        for (String each : wanted) {
            if (!each.matches(COORDINATE)) {
                throw new UsageException(("%%maven %s: that is not GROUP:ARTIFACT:VERSION[:CLASSIFIER], as in "
                        + "%%maven com.google.guava:guava:33.0.0-jre").formatted(each));
            }
        }
        Path folder = Files.createTempDirectory("vramlab-maven");
        try {
            List<String> jars = resolve(wanted, folder);
            jars.forEach(KernelSession.of(call.session())::addToClasspath);
            return "%d jar%s added: %s".formatted(jars.size(), jars.size() == 1 ? "" : "s",
                    String.join(", ", jars.stream().map(each -> Path.of(each).getFileName().toString()).toList()));
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
            Files.delete(folder);
        }
    }

    private static List<String> resolve(List<String> wanted, Path folder) throws Exception {
        Path pom = Files.writeString(folder.resolve("pom.xml"), pom(wanted));
        Path list = folder.resolve("jars");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream log = new PrintStream(printed, true, StandardCharsets.UTF_8);
        int status = Processes.run(List.of(maven(), "-q", "-B", "-f", pom.toString(), "dependency:build-classpath",
                "-Dmdep.outputFile=" + list, "-Dmdep.includeScope=runtime"), "", log, log);
        if (status != 0) {
            String errors = printed.toString(StandardCharsets.UTF_8).lines().filter(each -> each.contains("ERROR"))
                    .limit(3).reduce("", (all, line) -> all + "\n" + line);
            throw new UsageException("%maven " + String.join(" ", wanted)
                    + ": Maven could not get it; check the name and the network." + errors);
        }
        return List.of(Files.readString(list).strip().split(File.pathSeparator));
    }

    private static String pom(List<String> wanted) {
        StringBuilder dependencies = new StringBuilder();
        for (String each : wanted) {
            String[] parts = each.split(":");
            dependencies.append("<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>"
                    .formatted(parts[0], parts[1], parts[2]));
            dependencies.append(parts.length > 3 ? "<classifier>" + parts[3] + "</classifier>" : "");
            dependencies.append("</dependency>");
        }
        return """
                <project><modelVersion>4.0.0</modelVersion><groupId>cell</groupId><artifactId>cell</artifactId>
                <version>1</version><packaging>pom</packaging><dependencies>%s</dependencies></project>
                """.formatted(dependencies);
    }

    private static String maven() throws UsageException {
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");
        String program = windows ? "mvn.cmd" : "mvn";
        List<Path> places = new ArrayList<>();
        for (String home : List.of("MAVEN_HOME", "M2_HOME")) {
            if (Processes.environment().get(home) != null) {
                places.add(Path.of(Processes.environment().get(home), "bin"));
            }
        }
        for (String each : Processes.environment().getOrDefault("PATH", "").split(File.pathSeparator)) {
            places.add(Path.of(each));
        }
        for (Path each : places) {
            if (Files.isExecutable(each.resolve(program))) {
                return each.resolve(program).toString();
            }
        }
        throw new UsageException("%maven needs Maven, and there is none on the PATH: install it (Debian's package is"
                + " \"maven\"), set MAVEN_HOME with %env MAVEN_HOME=FOLDER, or add jars with %classpath FILE");
    }

    @Override
    public boolean mayDeclare(String arguments) {
        return true;
    }
}
