package dev.outrider.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The classes go with the instance: kept, they would make later collections of garbage slow.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {
    private final JavaClasses imported =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("dev.outrider");

    private static final String[] EVERYONE = {
        "dev.outrider.engine..",
        "dev.outrider.chat..",
        "dev.outrider.parquet..",
        "dev.outrider.drafting..",
        "dev.outrider.training..",
        "dev.outrider.nn..",
        "dev.outrider.torch..",
        "dev.outrider.demo..",
        "dev.outrider.config..",
        "dev.outrider.hub..",
        "dev.outrider.embedding..",
        "dev.outrider.langchain4j..",
        "dev.outrider.experiment..",
        "dev.outrider.serving..",
        "dev.outrider.serve..",
        "dev.outrider.audit..",
        "dev.outrider.drafter..",
        "dev.outrider.treeverify..",
        "dev.outrider.testkit..",
        "dev.outrider.cli.."
    };

    @Test
    void everyModuleIsSeen() {
        var packages =
                imported.stream()
                        .map(JavaClass::getPackageName)
                        .map(name -> name.replaceAll("^(dev\\.outrider\\.[a-z0-9]+).*", "$1"))
                        .collect(Collectors.toSet());

        assertThat(packages)
                .contains(
                        "dev.outrider.common",
                        "dev.outrider.spi",
                        "dev.outrider.engine",
                        "dev.outrider.chat",
                        "dev.outrider.parquet",
                        "dev.outrider.nn",
                        "dev.outrider.torch",
                        "dev.outrider.drafting",
                        "dev.outrider.training",
                        "dev.outrider.demo",
                        "dev.outrider.config",
                        "dev.outrider.hub",
                        "dev.outrider.embedding",
                        "dev.outrider.langchain4j",
                        "dev.outrider.experiment",
                        "dev.outrider.serving",
                        "dev.outrider.serve",
                        "dev.outrider.audit",
                        "dev.outrider.drafter",
                        "dev.outrider.treeverify",
                        "dev.outrider.testkit",
                        "dev.outrider.cli");
    }

    @Test
    void theContractsKnowOnlyTheJdkAndTheNullnessAnnotations() {
        classes()
                .that()
                .resideInAPackage("dev.outrider.spi..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.outrider.spi..", "java..", "org.jspecify..", "org.apiguardian..")
                .check(imported);
    }

    @Test
    void theEngineKnowsOnlyTheContracts() {
        onlyKnows("dev.outrider.engine..", "dev.outrider.spi..");
    }

    @Test
    void chatTemplatesKnowOnlyTheContracts() {
        onlyKnows("dev.outrider.chat..", "dev.outrider.spi..");
    }

    @Test
    void parquetFilesKnowOnlyCommonPieces() {
        onlyKnows("dev.outrider.parquet..");
    }

    @Test
    void inferenceKnowsTheContractsAndChatTemplates() {
        onlyKnows("dev.outrider.nn..", "dev.outrider.spi..", "dev.outrider.chat..");
    }

    @Test
    void theTensorEngineKnowsTheContractsAndInference() {
        onlyKnows("dev.outrider.torch..", "dev.outrider.spi..", "dev.outrider.nn..");
    }

    @Test
    void theDraftingKitKnowsTheContractsAndInference() {
        onlyKnows("dev.outrider.drafting..", "dev.outrider.spi..", "dev.outrider.nn..");
    }

    @Test
    void trainingKnowsTheContractsChatTemplatesAndInference() {
        onlyKnows(
                "dev.outrider.training..",
                "dev.outrider.spi..",
                "dev.outrider.parquet..",
                "dev.outrider.chat..",
                "dev.outrider.nn..",
                "dev.outrider.torch..");
    }

    @Test
    void theDemoKnowsOnlyCommonPieces() {
        onlyKnows("dev.outrider.demo..");
    }

    @Test
    void configurationKnowsOnlyTheContracts() {
        onlyKnows("dev.outrider.config..", "dev.outrider.spi..");
    }

    @Test
    void theHubKnowsTheContractsAndConfiguration() {
        onlyKnows("dev.outrider.hub..", "dev.outrider.spi..", "dev.outrider.config..");
    }

    @Test
    void experimentsKnowTheEngineAndConfiguration() {
        onlyKnows(
                "dev.outrider.experiment..",
                "dev.outrider.spi..",
                "dev.outrider.parquet..",
                "dev.outrider.engine..",
                "dev.outrider.config..");
    }

    @Test
    void servingKnowsTheEngine() {
        onlyKnows("dev.outrider.serving..", "dev.outrider.spi..", "dev.outrider.engine..");
    }

    @Test
    void embeddingKnowsTheEngineConfigurationAndTheHub() {
        onlyKnows(
                "dev.outrider.embedding..",
                "dev.outrider.spi..",
                "dev.outrider.engine..",
                "dev.outrider.config..",
                "dev.outrider.hub..");
    }

    @Test
    void chatModelsOfLangChainKnowEmbedding() {
        onlyKnows(
                "dev.outrider.langchain4j..",
                "dev.outrider.spi..",
                "dev.outrider.engine..",
                "dev.outrider.embedding..");
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outrider.langchain4j..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.langchain4j..")
                .check(imported);
    }

    @Test
    void theServerKnowsServingAndExperiments() {
        onlyKnows(
                "dev.outrider.serve..",
                "dev.outrider.spi..",
                "dev.outrider.engine..",
                "dev.outrider.config..",
                "dev.outrider.serving..",
                "dev.outrider.experiment..");
    }

    @Test
    void theAuditKnowsExperiments() {
        onlyKnows(
                "dev.outrider.audit..",
                "dev.outrider.spi..",
                "dev.outrider.engine..",
                "dev.outrider.config..",
                "dev.outrider.experiment..");
    }

    @Test
    void helidonStaysInTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outrider.serve..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.helidon..")
                .check(imported);
    }

    @Test
    void draftersKnowWhatPluginsSee() {
        onlyKnows(
                "dev.outrider.drafter..",
                "dev.outrider.spi..",
                "dev.outrider.nn..",
                "dev.outrider.drafting..",
                "dev.outrider.torch..",
                "dev.outrider.training..");
    }

    @Test
    void treeVerificationKnowsTheContractsAndInference() {
        onlyKnows("dev.outrider.treeverify..", "dev.outrider.spi..", "dev.outrider.nn..");
    }

    @Test
    void noDrafterKnowsAnother() {
        slices().matching("dev.outrider.drafter.(*)..")
                .should()
                .notDependOnEachOther()
                .check(imported);
    }

    @Test
    void onlyTheCommandLineUsesPicocli() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outrider.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(imported);
    }

    @Test
    void pyTorchIsForTheTensorEngineAndForTraining() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.outrider.torch..",
                        "dev.outrider.training..",
                        "dev.outrider.drafter..",
                        "dev.outrider.nn.tokenizer..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.djl..")
                .check(imported);
    }

    @Test
    void tornadoVmStaysInTreeVerification() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outrider.treeverify..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("uk.ac.manchester..")
                .check(imported);
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outrider.cli..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(imported);
    }

    @Test
    void randomnessAndTheDateComeInAsArguments() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.outrider.cli..")
                .should()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(java.time.Clock.class, "systemUTC")
                .orShould()
                .callMethod(java.time.Clock.class, "systemDefaultZone")
                .orShould()
                .callConstructor(java.util.Random.class)
                .orShould()
                .callMethod(java.util.concurrent.ThreadLocalRandom.class, "current")
                .check(imported);
    }

    @Test
    void commonPiecesKnowOnlyTheContracts() {
        classes()
                .that()
                .resideInAPackage("dev.outrider.common..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.outrider.common..", "dev.outrider.spi..", "java..", "org.jspecify..")
                .check(imported);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.outrider.(**)").should().beFreeOfCycles().check(imported);
    }

    @Test
    void everyPackageIsNullMarked() {
        var unmarked =
                imported.stream()
                        .filter(type -> !type.getPackage().isAnnotatedWith(NullMarked.class))
                        .map(JavaClass::getPackageName)
                        .collect(Collectors.toSet());

        assertThat(unmarked).isEmpty();
    }

    /// Of the project's own packages, `module` may use itself and `others`.
    private void onlyKnows(String module, String... others) {
        var forbidden =
                java.util.Arrays.stream(EVERYONE)
                        .filter(name -> !name.equals(module))
                        .filter(name -> !java.util.List.of(others).contains(name))
                        .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .check(imported);
    }
}
