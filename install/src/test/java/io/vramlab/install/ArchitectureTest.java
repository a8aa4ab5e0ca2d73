package io.vramlab.install;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The doors between the modules, and the order of the packages within them. */
@AnalyzeClasses(packages = "io.vramlab", importOptions = {ImportOption.DoNotIncludeTests.class,
        ArchitectureTest.WithoutJarsOfTests.class})
class ArchitectureTest {

    /** Tests of the kernel that this module's tests use: they may know both ends of a package's door. */
    static final class WithoutJarsOfTests implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String KERNEL = "io.vramlab.kernel..";
    private static final String KERNEL_SPI = "io.vramlab.kernel.spi..";
    private static final String MAGICS = "io.vramlab.magics..";
    private static final String INSTALL = "io.vramlab.install..";
    private static final String TABLESAW = "tech.tablesaw..";
    private static final String[] JUPYTER = {"io.github.spencerpark..", "org.zeromq..",
            "jdk.jshell.."};

    @ArchTest
    static void everyModuleIsLookedAt(JavaClasses all) {
        for (String name : List.of("io.vramlab.device", "io.vramlab.device.internal.cpu",
                "io.vramlab.device.internal.cuda",
                "io.vramlab.memory", "io.vramlab.tensor", "io.vramlab.lifetime", "io.vramlab.nn",
                "io.vramlab.conformance",
                "io.vramlab.kernel.spi", "io.vramlab.magics",
                "io.vramlab.install")) {
            assertTrue(all.containPackage(name), name);
        }
    }

    @ArchTest
    static final ArchRule theRuntimeKnowsNothingOfNotebooks = noClasses()
            .that(not(resideInAnyPackage(KERNEL, MAGICS, INSTALL))).should().dependOnClassesThat()
            .resideInAnyPackage(KERNEL, MAGICS, INSTALL, TABLESAW, "picocli..").orShould().dependOnClassesThat()
            .resideInAnyPackage(JUPYTER);

    @ArchTest
    static final ArchRule theKernelKnowsNothingOfTensorsOrTables = classes().that().resideInAPackage(KERNEL).should()
            .onlyDependOnClassesThat(
                    not(resideInAPackage("io.vramlab..")).or(resideInAPackage(KERNEL))
                            .and(not(resideInAnyPackage(TABLESAW, "jcuda.."))));

    @ArchTest
    static final ArchRule magicsSpeakToTheKernelThroughItsSpiOnly = noClasses().that().resideInAPackage(MAGICS).should()
            .dependOnClassesThat(resideInAPackage(KERNEL).and(not(resideInAPackage(KERNEL_SPI))));

    @ArchTest
    static final ArchRule magicsKnowNothingOfTheProtocol = noClasses().that().resideInAPackage(MAGICS).should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.github.spencerpark..", "org.zeromq..", "jdk.jshell..");

    @ArchTest
    static final ArchRule nothingKnowsTheInstaller = noClasses().that().resideOutsideOfPackage(INSTALL).should()
            .dependOnClassesThat().resideInAPackage(INSTALL);

    /** The modules that CONTRIBUTING.md draws, from the lowest up. */
    private static List<String> drawn() {
        String section = Checkout.text("CONTRIBUTING.md").split("each module may use those above it", 2)[1];
        return Pattern.compile("(?m)^ {4}([a-z-]+) {2,}\\S").matcher(section.split("\n\n[^ ]", 2)[0]).results()
                .map(line -> line.group(1)).toList();
    }

    @Test
    void theDrawingOfTheRuntimeHasEveryModule() throws IOException {
        Path runtime = Checkout.file("runtime");
        assertEquals(Checkout.modules().stream().filter(module -> module.getParent().equals(runtime))
                .map(module -> module.getFileName().toString()).sorted().toList(), drawn().stream().sorted().toList());
    }

    @ArchTest
    static void modulesOfTheRuntimeUseOnlyWhatIsDrawnAboveThem(JavaClasses all) {
        List<String> drawn = drawn();
        Set<String> upwards = new TreeSet<>();
        int looked = 0;
        for (JavaClass user : all) {
            int place = drawn.indexOf(module(user));
            if (place >= 0) {
                looked++;
                user.getDirectDependenciesFromSelf().stream().map(use -> use.getTargetClass().getBaseComponentType())
                        .filter(used -> used.getSource().isPresent() && drawn.indexOf(module(used)) > place)
                        .forEach(used -> upwards.add(user.getName() + " -> " + used.getName()));
            }
        }
        assertEquals(Set.of(), upwards);
        assertTrue(looked > 400, looked + " classes");
    }

    /** The module that a class was built in, or nothing: from .../MODULE/target/classes or vramlab-MODULE-VERSION.jar. */
    private static String module(JavaClass type) {
        String from = type.getSource().map(source -> source.getUri().toString()).orElse("");
        Matcher built = Pattern.compile("/([a-z-]+)/target/(?:classes/|vramlab-)").matcher(from);
        return built.find() ? built.group(1) : "";
    }

    @Test
    void everyPackageOfTheRuntimeHasItsRowOnTheHousesPage() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (String module : drawn()) {
            Path sources = Checkout.file("runtime").resolve(module).resolve("src/main/java");
            if (Files.exists(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(
                            file -> packages.add(
                                    sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.')));
                }
            }
        }
        Set<String> rows = Pattern.compile("(?m)^\\| `(io\\.vramlab[.\\w]*)` \\| \\S")
                .matcher(Checkout.text("docs/house.md"))
                .results().map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(packages, rows);
    }

    /** What does the same at two levels: the module, the operation, the kernel, and what PyTorch takes for it. */
    private static final Set<String> AT_TWO_LEVELS = Set.of("BatchNorm", "Convolution", "CudnnAttention", "Elementwise",
            "GroupNorm", "Indexing", "InstanceNorm", "LayerNorm", "LocalResponseNorm", "Pooling", "Reductions",
            "Softmax",
            "SpecialFunctions", "UserFrames", "Weaver", "Workspaces");

    @ArchTest
    static void aNameIsOneClassesButWhereTwoDoTheSameAtTwoLevels(JavaClasses all) {
        Map<String, Set<String>> named = new TreeMap<>();
        for (JavaClass each : all) {
            if (!each.isNestedClass() && !each.getSimpleName().equals("package-info")) {
                named.computeIfAbsent(each.getSimpleName(), name -> new TreeSet<>()).add(each.getName());
            }
        }
        named.values().removeIf(classes -> classes.size() == 1);
        assertEquals(new TreeSet<>(AT_TWO_LEVELS), named.keySet(), named.toString());
    }

    /** What programs may use: docs/house.md, section 1. */
    private static final Set<String> API = Set.of("device", "memory", "tensor", "tensor.type", "autograd", "nn",
            "optim", "data", "amp", "footprint", "testing", "kernel.spi", "kernel.spi.option", "kernel.spi.text");

    /** Where a tensor meets what implements it: Java has no friends, and these two packages are each other's. */
    private static final Set<String> TO_THE_INSIDE = Set.of("Tensor.<init>", "Tensor.wrap", "Tensor.impl",
            "TensorCalls.impl", "Tensor.storage", "PropertyMethods.storage");

    @ArchTest
    static void whatProgramsMayUseSpeaksOfNothingInternal(JavaClasses all) {
        Set<String> found = new TreeSet<>();
        int looked = 0;
        for (JavaClass each : all) {
            if (each.getModifiers().contains(JavaModifier.PUBLIC) && isApi(each)) {
                for (JavaCodeUnit unit : each.getAllMembers().stream().filter(JavaCodeUnit.class::isInstance)
                        .map(JavaCodeUnit.class::cast).filter(ArchitectureTest::isForPrograms).toList()) {
                    looked++;
                    if (Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                            .map(JavaClass::getBaseComponentType)
                            .anyMatch(type -> type.getPackageName().contains(".internal"))) {
                        found.add(unit.getOwner().getSimpleName() + "." + unit.getName());
                    }
                }
            }
        }
        assertEquals(new TreeSet<>(TO_THE_INSIDE), found);
        assertTrue(looked > 3000, looked + " methods");
    }

    private static boolean isApi(JavaClass type) {
        return API.contains(type.getPackageName().replaceFirst("^io\\.vramlab\\.", ""));
    }

    private static boolean isForPrograms(JavaCodeUnit unit) {
        return isApi(unit.getOwner()) && (unit.getModifiers().contains(JavaModifier.PUBLIC)
                || unit.getModifiers().contains(JavaModifier.PROTECTED));
    }

    @ArchTest
    static final ArchRule noModuleReachesIntoTheKernel = noClasses().that().resideOutsideOfPackages(KERNEL, INSTALL)
            .should().dependOnClassesThat().resideInAPackage("io.vramlab.kernel.internal..");

    @ArchTest
    static final ArchRule theProductDoesNotKnowItsJudge = noClasses()
            .that().resideOutsideOfPackages("io.vramlab.conformance..", INSTALL).should()
            .dependOnClassesThat().resideInAPackage("io.vramlab.conformance..");

    @ArchTest
    static final ArchRule jcudaStaysBehindItsDevice = noClasses().that()
            .resideOutsideOfPackage("io.vramlab.device.internal.cuda..").should().dependOnClassesThat()
            .resideInAnyPackage("jcuda..");

    @ArchTest
    static final ArchRule devicesDoNotKnowWhatIsBuiltOnThem = noClasses().that().resideInAPackage("io.vramlab.device..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("io.vramlab.memory..", "io.vramlab.tensor..", "io.vramlab.autograd..",
                    "io.vramlab.nn..");

    @ArchTest
    static final ArchRule theAllocatorDoesNotKnowTensors = noClasses().that().resideInAPackage("io.vramlab.memory..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("io.vramlab.tensor..", "io.vramlab.autograd..", "io.vramlab.nn..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().matching("io.vramlab.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nothingIsKotlin = noClasses().should().dependOnClassesThat().resideInAPackage("kotlin..");
}
