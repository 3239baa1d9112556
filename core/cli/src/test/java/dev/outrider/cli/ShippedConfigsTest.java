package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafter.block.DFlashTraining;
import dev.outrider.drafter.block.DSparkTraining;
import dev.outrider.drafter.eagle.PEagleTraining;
import dev.outrider.drafter.medusa.MedusaTraining;
import dev.outrider.drafter.medusa.sequence.HydraTraining;
import dev.outrider.drafter.medusa.sequence.RedrafterTraining;
import dev.outrider.drafter.mtp.MtpTraining;
import dev.outrider.drafter.smallmodel.PardTraining;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.training.LanguageModelConfig;
import dev.outrider.training.head.HeadTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShippedConfigsTest {
    private static final Path CONFIGS =
            Path.of(System.getProperty("outrider.root", "../.."), "configs");

    static List<Path> experiments() throws IOException {
        return files(false);
    }

    static List<Path> sweeps() throws IOException {
        return files(true);
    }

    private static List<Path> files(boolean sweeps) throws IOException {
        var loader = loader();
        try (Stream<Path> files = Files.list(CONFIGS)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> new SweepGridReader(loader).isSweep(file) == sweeps)
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("sweeps")
    void everyCellOfASweepIsValid(Path file) throws IOException {
        var grid = new SweepGridReader(loader()).read(file, List.of());
        var plan =
                SweepPlan.of(grid, "test", Path.of("results"), new GitState("abc", false), "test");

        assertThat(plan.name() + ".yaml").isEqualTo(file.getFileName().toString());
        assertThat(plan.question()).endsWith("?");
        assertThat(plan.cells()).hasSizeGreaterThan(1);
        for (var cell : grid.cells()) {
            LoadedExperiment.checkWithPrompts(cell.loaded().config(), cell.loaded().effective());
        }
        assertThat(CONFIGS.resolve("README.md"))
                .content()
                .contains("| `" + file.getFileName() + "` |");
        assertThat(Files.readAllLines(file).get(1))
                .startsWith("#   ./outrider ")
                .containsPattern("(sweep|verify-exactness --config) configs/" + file.getFileName());
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void whatItMeansReadsBackToTheSame(Path file, @TempDir Path folder) throws IOException {
        var loaded = loader().load(file, ExperimentConfig.class, List.of());
        var copy = folder.resolve("copy.yaml");
        Files.writeString(copy, loaded.effective().toYaml(folder));
        var again = loader().load(copy, ExperimentConfig.class, List.of());

        assertThat(again.config().variants()).hasSameSizeAs(loaded.config().variants());
        assertThat(again.effective().toYaml(folder).replaceAll(" *#.*", ""))
                .isEqualTo(loaded.effective().toYaml(folder).replaceAll(" *#.*", ""));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void isValidAndSaysWhatItAsks(Path file) {
        var config = loader().load(file, ExperimentConfig.class, List.of()).config();

        assertThat(config.name() + ".yaml").isEqualTo(file.getFileName().toString());
        assertThat(config.question()).endsWith("?");
        assertThat(config.variants()).isNotEmpty();
        // Short texts are for tests of exactness, whose samples come from each prompt.
        int fewest = config.prompts() instanceof PromptSource.FromFile ? 6 : 4;
        assertThat(PromptReader.read(config.prompts())).hasSizeGreaterThanOrEqualTo(fewest);
    }

    /// Checks paths in the text: a variant opens its models only when it runs.
    @ParameterizedTest
    @MethodSource({"experiments", "sweeps"})
    void everyModelThatItNamesIsShipped(Path file) throws IOException {
        var named =
                Pattern.compile("\\.\\./models/[\\w.-]+")
                        .matcher(Files.readString(file))
                        .results()
                        .map(match -> CONFIGS.resolve(match.group()));

        assertThat(named.toList()).isNotEmpty().allSatisfy(model -> assertThat(model).exists());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "training/target.yaml",
                "training/draft.yaml",
                "training/draft-1024.yaml",
                "training/prose-target.yaml",
                "training/prose-draft.yaml"
            })
    void trainsAModelOfTheTokenizersVocabulary(String name) {
        var config =
                loader().load(CONFIGS.resolve(name), LanguageModelConfig.class, List.of()).config();

        try (var tokenizer = HfTokenizer.load(config.tokenizer())) {
            assertThat(config.shape().vocabularySize())
                    .isGreaterThanOrEqualTo(tokenizer.vocabularySize());
        }
    }

    @Test
    void trainsHeadsAsTheShippedOnesWereTrained() {
        var medusa = settings("training/medusa.yaml", MedusaTraining.class);
        var shippedMedusa = settings("../models/demo-medusa/train.yaml", MedusaTraining.class);
        assertThat(medusa.heads()).isEqualTo(shippedMedusa.heads());
        assertSameRun(medusa, shippedMedusa);

        var hydra = settings("training/hydra.yaml", HydraTraining.class);
        var shippedHydra = settings("../models/demo-hydra/train.yaml", HydraTraining.class);
        assertThat(hydra.heads()).isEqualTo(shippedHydra.heads());
        assertSameRun(hydra, shippedHydra);

        var recurrent = settings("training/redrafter.yaml", RedrafterTraining.class);
        var shippedRecurrent =
                settings("../models/demo-redrafter/train.yaml", RedrafterTraining.class);
        assertThat(recurrent.heads()).isEqualTo(shippedRecurrent.heads());
        assertThat(recurrent.recurrence()).isEqualTo(shippedRecurrent.recurrence());
        assertSameRun(recurrent, shippedRecurrent);
    }

    private static <C extends Record> C settings(String file, Class<C> type) {
        return loader().load(CONFIGS.resolve(file), type, List.of()).config();
    }

    private static void assertSameRun(HeadTraining one, HeadTraining other) {
        assertThat(one.keys().training()).isEqualTo(other.keys().training());
        assertThat(one.keys().corpusSeed()).isEqualTo(other.keys().corpusSeed());
    }

    @Test
    void trainsBlockDraftersAsTheShippedOnesWereTrained() {
        var flash = DFlashTraining.class;
        var config =
                loader().load(CONFIGS.resolve("training/dflash.yaml"), flash, List.of()).config();
        var shipped =
                loader().load(CONFIGS.resolve("../models/demo-dflash/train.yaml"), flash, List.of())
                        .config();
        assertThat(config.head()).isEqualTo(shipped.head());
        assertThat(config.keys().training()).isEqualTo(shipped.keys().training());

        var spark = DSparkTraining.class;
        var other =
                loader().load(CONFIGS.resolve("training/dspark.yaml"), spark, List.of()).config();
        var sparked =
                loader().load(CONFIGS.resolve("../models/demo-dspark/train.yaml"), spark, List.of())
                        .config();
        assertThat(other.head()).isEqualTo(sparked.head());
        assertThat(other.heads()).isEqualTo(sparked.heads());
        assertThat(other.keys().training()).isEqualTo(sparked.keys().training());
    }

    @Test
    void trainsDraftersInOnePassAsTheShippedOnesWereTrained() {
        var eagle = PEagleTraining.class;
        var config =
                loader().load(CONFIGS.resolve("training/p-eagle.yaml"), eagle, List.of()).config();
        var shipped =
                loader().load(
                                CONFIGS.resolve("../models/demo-p-eagle/train.yaml"),
                                eagle,
                                List.of())
                        .config();
        assertThat(config.head()).isEqualTo(shipped.head());
        assertThat(config.keys().training()).isEqualTo(shipped.keys().training());

        var pard = PardTraining.class;
        var other = loader().load(CONFIGS.resolve("training/pard.yaml"), pard, List.of()).config();
        var masked =
                loader().load(CONFIGS.resolve("../models/demo-pard/train.yaml"), pard, List.of())
                        .config();
        assertThat(other.masks()).isEqualTo(masked.masks());
        assertThat(other.keys().training()).isEqualTo(masked.keys().training());
    }

    @Test
    void trainsModulesAsTheShippedOnesWereTrained() {
        var config =
                loader().load(CONFIGS.resolve("training/mtp.yaml"), MtpTraining.class, List.of())
                        .config();
        var shipped =
                loader().load(
                                CONFIGS.resolve("../models/demo-mtp/train.yaml"),
                                MtpTraining.class,
                                List.of())
                        .config();

        assertThat(config.modules()).isEqualTo(shipped.modules());
        assertThat(config.keys().training()).isEqualTo(shipped.keys().training());
        assertThat(config.keys().corpusSeed()).isEqualTo(shipped.keys().corpusSeed());
        assertThat(config.softLabels()).isEqualTo(shipped.softLabels());
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void isListedWithItsQuestion(Path file) throws IOException {
        assertThat(CONFIGS.resolve("README.md"))
                .content()
                .contains("| `" + file.getFileName() + "` |");
        assertThat(Files.readAllLines(file).get(1))
                .isEqualTo("#   ./outrider bench configs/" + file.getFileName());
    }

    @Test
    void theQuickComparisonSeesEveryKindOfPrompt() {
        var config =
                loader().load(CONFIGS.resolve("in-cache.yaml"), ExperimentConfig.class, List.of())
                        .config();

        assertThat(PromptReader.read(config.prompts()).stream().map(prompt -> prompt.kind()))
                .contains("story", "question", "arithmetic", "extraction", "code", "summary");
    }

    @Test
    void theTestsRunAShippedComparisonOnTheTinyModels() throws IOException {
        var tiny =
                lines(Path.of(Shipped.IN_CACHE)).stream()
                        .map(line ->
                                line.replace("/tiny-", "/demo-")
                                        .replace("../../../../../configs/", "")
                                        .replace("../../../../../models/", "../models/"))
                        .toList();

        assertThat(tiny).isEqualTo(lines(CONFIGS.resolve("in-cache.yaml")));
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).toList();
    }

    private static ConfigLoader loader() {
        return Run.context().loader();
    }
}
