package io.vramlab.install;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
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
        for (String name : List.of("io.vramlab.device", "io.vramlab.device.cpu", "io.vramlab.device.cuda",
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

    @ArchTest
    static final ArchRule theProductDoesNotKnowItsJudge = noClasses()
            .that().resideOutsideOfPackages("io.vramlab.conformance..", INSTALL).should()
            .dependOnClassesThat().resideInAPackage("io.vramlab.conformance..");

    @ArchTest
    static final ArchRule jcudaStaysBehindItsDevice = noClasses().that()
            .resideOutsideOfPackage("io.vramlab.device.cuda..").should().dependOnClassesThat()
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
