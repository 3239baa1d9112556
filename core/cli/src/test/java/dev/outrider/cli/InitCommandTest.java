package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.EffectiveConfig.NamedPath;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.experiment.run.PromptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InitCommandTest {
    @TempDir private Path folder;

    @Test
    void writesAConfigurationThatLoads() throws Exception {
        var file = folder.resolve("my own.yaml");
        var run = init(file, "tiny-draft", "tiny-eagle3");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("./outrider bench '" + file + "'\n");
        var config = Run.context().loader().load(file, ExperimentConfig.class, List.of()).config();
        assertThat(config.name()).isEqualTo("tiny-target");
        assertThat(config.variants())
                .extracting(VariantConfig::name)
                .contains("small-model tiny-draft", "eagle3 tiny-eagle3", "prompt lookup");
        assertThat(Files.readString(file)).contains("# All keys are in docs/reference");
    }

    @Test
    void keepsAFileThatIsThere() throws Exception {
        var file = Files.writeString(folder.resolve("experiment.yaml"), "mine");

        var run = init(file);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--force to replace it");
        assertThat(Files.readString(file)).isEqualTo("mine");
    }

    @Test
    void replacesAFileWithForce() throws Exception {
        var file = Files.writeString(folder.resolve("experiment.yaml"), "mine");

        var run =
                Run.of(
                        "init",
                        "--target",
                        Shipped.TINY_TARGET,
                        "--force",
                        "--out",
                        file.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Files.readString(file)).contains("name: 'tiny-target'");
    }

    @Test
    void namesModelsAndPromptsFromTheFolderOfTheFile() throws Exception {
        var target = copied("its 'own' target");
        var prompts = Files.writeString(folder.resolve("prompts.txt"), "Once upon\nThe cat\n");
        var file = folder.resolve("new folder/one more/experiment.yaml");

        var run =
                Run.of(
                        "init",
                        "--target",
                        target.toString(),
                        "--drafter",
                        target.toString(),
                        "--prompts",
                        prompts.toString(),
                        "--out",
                        file.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Files.readString(file))
                .contains(
                        "path: '../../its ''own'' target'",
                        "{file: '../../prompts.txt', limit: 12}");
        var loaded = Run.context().loader().load(file, ExperimentConfig.class, List.of());
        assertThat(loaded.effective().paths("target"))
                .extracting(NamedPath::path)
                .containsExactly(target);
        assertThat(loaded.effective().paths("variants"))
                .extracting(NamedPath::path)
                .contains(target);
        assertThat(PromptReader.read(loaded.config().prompts())).hasSize(2);
    }

    @Test
    void refusesPromptsThatAreNotThere() {
        var file = folder.resolve("experiment.yaml");

        var run =
                Run.of(
                        "init",
                        "--target",
                        Shipped.TINY_TARGET,
                        "--prompts",
                        folder.resolve("none.txt").toString(),
                        "--out",
                        file.toString());

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.err()).contains("none.txt");
        assertThat(file).doesNotExist();
    }

    private Path copied(String name) throws IOException {
        var copy = Files.createDirectories(folder.resolve(name));
        for (var file : List.of("config.json", "tokenizer.json", "model.safetensors")) {
            Files.copy(Path.of(Shipped.TINY_TARGET).resolve(file), copy.resolve(file));
        }
        return copy;
    }

    @Test
    void saysWhyADrafterDoesNotFit() {
        var file = folder.resolve("experiment.yaml");

        var run = init(file, "demo-eagle3");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("demo-eagle3' drafts for", "eagle3");
        assertThat(file).doesNotExist();
    }

    @Test
    void refusesATargetThatIsNotThere() {
        var file = folder.resolve("experiment.yaml");

        var run = Run.of("init", "--target", "no-such-model", "--out", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("CHECKPOINT_NOT_FOUND");
        assertThat(file).doesNotExist();
    }

    @Test
    void namesTheSameDrafterTwiceApart() throws Exception {
        var file = folder.resolve("experiment.yaml");

        assertThat(init(file, "tiny-draft", "tiny-draft").exitCode()).isZero();
        assertThat(Files.readString(file)).contains("'small-model tiny-draft 2'");
    }

    @Test
    void completesCommandsAndOptions() {
        assertThat(Run.of("completion").out())
                .contains("complete -F", "verify-exactness", "--until-decided", "eagle");
    }

    private static Run init(Path out, String... drafters) {
        var arguments =
                new ArrayList<>(
                        List.of("init", "--target", Shipped.TINY_TARGET, "--out", out.toString()));
        for (var drafter : drafters) {
            arguments.add("--drafter");
            arguments.add(Shipped.ROOT.resolve("models").resolve(drafter).toString());
        }
        return Run.of(arguments.toArray(String[]::new));
    }
}
