package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests `outrider data`, and training on the data that it shows and writes.
class DataCommandsTest {
    @TempDir private Path folder;

    private Path config = Path.of("");
    private Path questions = Path.of("");

    @BeforeEach
    void write() throws IOException {
        config =
                Files.writeString(
                        folder.resolve("experiment.yaml"),
                        """
                        name: answers
                        target: {use: vector, path: '%1$s/tiny-target'}
                        sampling: {temperature: 1}
                        maxTokens: 10
                        seed: 5
                        batch: 2
                        variants:
                          - name: small
                            drafter: {use: small-model, path: '%1$s/tiny-draft'}
                        """
                                .formatted(Shipped.ROOT.resolve("models").toAbsolutePath()));
        var lines = new ArrayList<String>();
        for (int i = 0; i < 11; i++) {
            lines.add("{\"prompt\": \"Calculate: %d + %d\\nWorking:\"}".formatted(i, 2 * i));
        }
        lines.set(4, "{\"prompt\": \"%s\"}".formatted("Too long. ".repeat(2000)));
        questions = Files.write(folder.resolve("questions.jsonl"), lines);
    }

    @Test
    void showsDocumentsTokensAndWhatIsLearned() {
        var run = Run.of("data", "show", Shipped.config("training/chat.yaml"));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith("source       split  documents  tokens  learned")
                .contains("1         training         47    1976     1400    0")
                .contains("1       validation          4 ")
                .contains("Calculate: 954 - 179\nWorking:[ 954 - 100 = 854.")
                .contains("Answer: 775\n]");
    }

    @Test
    void saysWhyThereIsNothingToShow() {
        var run = Run.of("data", "show", Shipped.config("training/medusa.yaml"));
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("CONFIG_INVALID: '").contains("has no documents to show");
        assertThat(Run.of("data", "show", Shipped.IN_CACHE).err())
                .startsWith("CONFIG_INVALID: no installed trainer reads '");
        assertThat(Run.of("data", "show", Shipped.IN_CACHE, "--trainer", "medusa").err())
                .contains("unknown key");
    }

    @Test
    void aKilledRunGoesOnAsIfItHadNotBeen() throws IOException {
        var whole = answers("whole");
        assertThat(whole).hasSize(10).noneMatch(line -> line.startsWith("{\"index\":4,"));
        assertThat(whole.getFirst())
                .startsWith(
                        "{\"index\":0,\"prompt\":\"Calculate: 0 + 0\\nWorking:\",\"completion\":");
        assertThat(whole).anyMatch(line -> line.endsWith("\"truncated\":true}"));

        for (int cut : new int[] {0, 1, 700}) {
            var name = "killed" + cut;
            var text = String.join("\n", whole) + "\n";
            Files.createDirectories(folder.resolve(name));
            Files.copy(
                    folder.resolve("whole/regeneration.json"),
                    folder.resolve(name).resolve("regeneration.json"));
            Files.writeString(
                    folder.resolve(name).resolve("answers.jsonl"), text.substring(0, cut));
            assertThat(answers(name)).isEqualTo(whole);
        }
    }

    @Test
    void answersDoNotDependOnBatchesAndAreReadByTrainers() throws IOException {
        assertThat(answers("single", "--set", "batch=1"))
                .isEqualTo(answers("four", "--set", "batch=4"));
        assertThat(answers("drafted", "--variant", "small")).hasSize(10);

        var training =
                Files.writeString(
                        folder.resolve("train.yaml"),
                        Files.readString(Path.of(Shipped.config("training/draft.yaml")))
                                .replace(
                                        "corpusSeed: 20261120",
                                        "data: {sources: [{files: [single/answers.jsonl]}], validation: 0.3}")
                                .replace(
                                        "../../models",
                                        Shipped.ROOT
                                                .resolve("models")
                                                .toAbsolutePath()
                                                .toString()));
        var run =
                Run.of(
                        "train",
                        "lm",
                        "--config",
                        training.toString(),
                        "--set",
                        "out=" + folder.resolve("model"),
                        "--set",
                        "training.learningRate.steps=2",
                        "--set",
                        "training.learningRate.warmupSteps=1",
                        "--set",
                        "training.rows=1",
                        "--set",
                        "training.contextTokens=40",
                        "--set",
                        "training.validationRows=1");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(folder.resolve("model/training.json")))
                .contains("\"data\" : \"seed 1, validation 0.3: 1 files, weight 1.0, sha256 ");
    }

    @Test
    void operatorsAreSaidBesideTheAnswers() throws IOException {
        assertThat(regenerate("operated", "--set", "operators.topA=0.1").exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(folder.resolve("operated/regeneration.json"))
                .content()
                .contains("\"operators\" : \"topA 0.1\"");
    }

    @Test
    void answersOfAnotherConfigurationAreNotMixedIn() {
        answers("folder");
        var run = regenerate("folder", "--set", "seed=6");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("has answers of another target, configuration or file of questions");
    }

    @Test
    void aFileOfSomethingElseIsNotWrittenOver() throws IOException {
        var file = folder.resolve("folder/answers.jsonl");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "mine\n");
        assertThat(regenerate("folder").err())
                .contains("DATA_INVALID: the last line of '%s' is no answer".formatted(file));
        assertThat(file).hasContent("mine\n");
    }

    @Test
    void plainTextAsksNothing() throws IOException {
        Files.writeString(questions, "{\"text\": \"Hello.\"}");
        assertThat(regenerate("folder").err())
                .contains("DATA_INVALID: a record is plain text, which asks nothing");
    }

    private List<String> answers(String name, String... options) {
        var run = regenerate(name, options);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains(" questions too long");
        try {
            return Files.readAllLines(folder.resolve(name).resolve("answers.jsonl"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Run regenerate(String name, String... options) {
        var command =
                new ArrayList<>(
                        List.of(
                                "data",
                                "regenerate",
                                config.toString(),
                                "--from",
                                questions.toString(),
                                "--out",
                                folder.resolve(name).toString()));
        command.addAll(List.of(options));
        return Run.of(command.toArray(String[]::new));
    }
}
