package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that run a model, on the shipped ones.
class ModelCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("outrider.root", "../.."));
    private static final String QUICKSTART = ROOT.resolve("configs/quickstart.yaml").toString();
    private static final String TARGET = ROOT.resolve("models/demo-target").toString();
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;

    @Test
    void speculationWritesWhatPlainDecodingWrites() throws IOException {
        var plain = generated("--model", TARGET);
        var drafted = generated("--config", QUICKSTART);

        assertThat(drafted.get("ids")).isEqualTo(plain.get("ids"));
        assertThat(drafted.get("promptIds")).isEqualTo(plain.get("promptIds"));
        assertThat(drafted.get("text")).isEqualTo(plain.get("text"));
        assertThat(plain.get("metrics").get("rounds").asInt()).isEqualTo(24);
        assertThat(drafted.get("metrics").get("rounds").asInt()).isLessThan(24);
        assertThat(drafted.get("drafter").asText()).isEqualTo("small-model");
    }

    @Test
    void theTraceIsTheTextWithMarks() {
        var text = Run.of("generate", "--model", TARGET, "--prompt", "The", "--max-tokens", "12");
        var trace =
                Run.of(
                        "generate",
                        "--config",
                        QUICKSTART,
                        "--prompt",
                        "The",
                        "--max-tokens",
                        "12",
                        "--trace");

        assertThat(trace.err())
                .startsWith("[text] an accepted guess, <text> a corrected one, {text} the token");
        assertThat(trace.out()).contains("[").isNotEqualTo(text.out());
        assertThat(trace.out().replaceAll("[\\[\\]<>{}]", ""))
                .isEqualTo(text.out().replaceAll("[\\[\\]<>{}]", ""));
    }

    @Test
    void takesThePromptFromTheStandardInput() {
        var piped =
                Run.with(
                        "The\n",
                        new Interruption(),
                        "generate",
                        "--model",
                        TARGET,
                        "--max-tokens",
                        "8");
        var given = Run.of("generate", "--model", TARGET, "--prompt", "The", "--max-tokens", "8");

        assertThat(piped.out()).isEqualTo(given.out());
    }

    @Test
    void saysWhichVariantsThereAre() {
        var run = Run.of("generate", "--config", QUICKSTART, "--variant", "chian", "--prompt", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith(
                        "USAGE: --variant is chian, expected one of plain, chain of 3, chain of 5, tree 2-2-1\n");
    }

    @Test
    void saysThatAModelHasToBeChosen() {
        var run = Run.of("generate", "--prompt", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        """
                        USAGE: there is no model; give --config=FILE or --model=DIR
                          Run 'outrider generate --help' for what it takes, with examples.
                        """);
    }

    @Test
    void saysInWordsWhyAPromptCannotBeRead() throws IOException {
        var missing = folder.resolve("prompt.txt");
        var bytes = Files.write(folder.resolve("bytes.txt"), new byte[] {'a', (byte) 0xff});

        assertThat(Run.of("generate", "--model", TARGET, "--prompt-file", missing.toString()).err())
                .isEqualTo(
                        """
                        IO_FAILED: cannot read '%s': there is no such file
                          Check the path and the file's permissions.
                        """
                                .formatted(missing));
        assertThat(Run.of("generate", "--model", TARGET, "--prompt-file", bytes.toString()).err())
                .isEqualTo(
                        """
                        IO_FAILED: cannot read '%s': it is not UTF-8 text
                          Check the path and the file's permissions.
                        """
                                .formatted(bytes));
    }

    @Test
    void saysThatAModelIsNotThere() {
        var missing = folder.resolve("nothing");

        var run = Run.of("generate", "--model", missing.toString(), "--prompt", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("CHECKPOINT_NOT_FOUND: ").contains(missing.toString());
    }

    @Test
    void comparesAndKeepsTheResults() throws IOException {
        var run =
                Run.of(
                        "bench",
                        QUICKSTART,
                        "--out",
                        folder.toString(),
                        "--check",
                        "--set",
                        "prompts.limit=2",
                        "--set",
                        "maxTokens=12",
                        "--set",
                        "repetitions=1",
                        "--set",
                        "warmup=0");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("plain ")
                .contains("chain of 3")
                .contains("tree 2-2-1")
                .endsWith("Kept in " + folder.resolve("quickstart") + "\n");
        var summary = JSON.readTree(folder.resolve("quickstart/summary.json").toFile());
        assertThat(summary).hasSize(3);
        for (var variant : summary) {
            assertThat(variant.get("losslessness").asText()).isEqualTo("greedy-equal");
            assertThat(variant.get("speedup").has("median")).isTrue();
        }
        assertThat(folder.resolve("quickstart/details.json"))
                .content()
                .contains("\"mismatches\" : [ ]");
        var provenance = JSON.readTree(folder.resolve("quickstart/provenance.json").toFile());
        assertThat(provenance.get("models").toString()).contains("target demo-target");
        assertThat(Files.size(folder.resolve("quickstart/rounds.jsonl"))).isPositive();
        var samples = JSON.readTree(folder.resolve("quickstart/samples.json").toFile());
        assertThat(samples.get("sides")).hasSize(3);
        assertThat(samples.get("sides").get(0).get("rounds")).isNotEmpty();
        assertThat(folder.resolve("quickstart/report.html")).content().contains("chain of 3");
        reportsAndRefuses(folder.resolve("quickstart"));
    }

    private void reportsAndRefuses(Path results) {
        var again =
                Run.of("report", results.toString(), "--out", folder.resolve("again").toString());
        assertThat(again.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(again.out()).isEqualTo(folder.resolve("again/report.html") + "\n");
        assertThat(folder.resolve("again/report.html"))
                .hasSameTextualContentAs(results.resolve("report.html"));
        var twice = Run.of("report", results.toString(), results.toString());
        assertThat(twice.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(twice.err()).startsWith("DATA_INVALID: ").contains("are the same folder");
        var nothing = Run.of("report", folder.resolve("none").toString());
        assertThat(nothing.err()).startsWith("DATA_INVALID: ").contains("holds no results");
    }

    @Test
    void anInterruptedComparisonEndsAtOnceAndSaysSo() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, "bench", QUICKSTART, "--out", folder.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).isEqualTo("Interrupted before anything was measured.\n");
    }

    @Test
    void anInterruptedGenerationSaysThatThereIsNothing() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("The", interruption, "generate", "--model", TARGET);

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).isEqualTo("no tokens, ended by cancelled\n");
    }

    @Test
    void anInterruptedTimingOfPassesEndsAtOnceAndSaysSo() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, "bench-model", "--shape", "stories260k");

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo("Interrupted; times need every turn, so there are none to show.\n");
    }

    @Test
    void reportsEveryProblemOfAConfiguration() throws IOException {
        var file = Files.writeString(folder.resolve("bad.yaml"), "name: x\ntraget: 1\n");

        var run = Run.of("bench", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("CONFIG_INVALID: ")
                .contains("bad.yaml:2:1")
                .contains("target");
    }

    @Test
    void timesPassesOfANamedShape() throws IOException {
        var run =
                Run.of(
                        "bench-model",
                        "--shape",
                        "stories260k",
                        "--precision",
                        "f32",
                        "--threads",
                        "1",
                        "--rows",
                        "1,4",
                        "--turns",
                        "1",
                        "--repeats",
                        "1",
                        "--json");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(JSON.readTree(run.out()).get("passes")).hasSize(2);
    }

    @Test
    void listsTheShapesWhenOneIsUnknown() {
        assertThat(Run.of("bench-model", "--shape", "big").err())
                .startsWith("USAGE: --shape is big, expected one of demo-target, llama-7b, ");
    }

    @Test
    void severalContextsAreForADevice() {
        assertThat(Run.of("bench-model", "--context", "128,1024").err())
                .startsWith(
                        "USAGE: --context is [128, 1024], expected one number unless --backend is tornado");
        assertThat(Run.of("bench-model", "--backend", "tornado", "--context", "0").err())
                .startsWith("USAGE: rows [1, 2, 4, 8, 16] and contexts [0] must be positive");
    }

    @Test
    void theDoctorFindsEngineAndModels() {
        var run = Run.of("doctor");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("tensor engine PyTorch 2.")
                .containsPattern(
                        "\\ntornadovm     (not used: target 'tornado' needs TornadoVM|\\d+\\.\\d+\\.\\d+-jdk)")
                .containsPattern("\\ndrafters      .*small-model");
    }

    @Test
    void theTargetOnTheDeviceSaysWhatIsMissing() throws IOException {
        var config = folder.resolve("device.yaml");
        Files.writeString(
                config,
                """
                name: on-the-device
                target: {use: tornado, path: '%s'}
                """
                        .formatted(ROOT.resolve("models/demo-target")));

        var run = Run.of("generate", "--config", config.toString(), "--prompt", "Once");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .containsPattern("^(DEVICE_SDK_MISSING|BACKEND_UNAVAILABLE): .*TornadoVM")
                .contains("\n  ", "docs/gpu.md");
    }

    @Test
    void trainsAModelThatGeneratesAndRefusesToOverwriteIt() {
        var out = folder.resolve("model");
        String[] train = {
            "train", "lm", "--config", ROOT.resolve("configs/train-draft.yaml").toString(),
            "--set", "out=" + out, "--set", "training.learningRate.steps=2",
            "--set", "training.learningRate.warmupSteps=1", "--set", "training.rows=1",
            "--set", "training.contextTokens=16", "--set", "training.validationRows=1"
        };

        var run = Run.of(train);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith(out + ": 2 steps, 32 tokens, loss ");
        assertThat(
                        Run.of(
                                        "generate",
                                        "--model",
                                        out.toString(),
                                        "--prompt",
                                        "The",
                                        "--max-tokens",
                                        "2")
                                .exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(Run.of(train).err())
                .isEqualTo(
                        """
                        CONFIG_INVALID: '%s' already holds a finished model
                          Choose another folder with --set out=DIR, or remove the model.
                        """
                                .formatted(out));
    }

    @Test
    void trainsModulesOnATargetThatDraftForIt() throws IOException {
        var out = folder.resolve("modules");
        var before = Files.readAllBytes(Path.of(TARGET, "model.safetensors"));

        var run = trained("mtp", "train-mtp.yaml", out);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith(out + ": 2 steps, 32 tokens, loss ").contains("overlap3 ");
        assertThat(Files.readAllBytes(Path.of(TARGET, "model.safetensors"))).isEqualTo(before);
        assertThat(trained("mtp", "train-mtp.yaml", out).err())
                .contains("already holds a finished model");
    }

    @Test
    void trainsModulesTogetherWithTheirDecoder() throws IOException {
        var out = folder.resolve("joint");

        var run = trained("lm", "train-draft.yaml", out, "--mtp-heads", "2");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("mtpLoss2 ");
        assertThat(Files.readString(out.resolve("config.json")))
                .contains("\"num_nextn_predict_layers\" : 2");
    }

    @Test
    void timesAModuleAtANamedShape() {
        var run =
                Run.of(
                        "bench-draft",
                        "mtp",
                        "--shape",
                        "stories260k",
                        "--threads",
                        "1",
                        "--context",
                        "4",
                        "--turns",
                        "1");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("head of 512 tokens").contains("c by bytes alone");
    }

    private static Run trained(String what, String config, Path out, String... more) {
        var command =
                new ArrayList<>(
                        List.of(
                                "train", what,
                                "--config", ROOT.resolve("configs").resolve(config).toString(),
                                "--set", "out=" + out,
                                "--set", "training.learningRate.steps=2",
                                "--set", "training.learningRate.warmupSteps=1",
                                "--set", "training.rows=1",
                                "--set", "training.contextTokens=16",
                                "--set", "training.validationRows=1"));
        command.addAll(List.of(more));
        return Run.of(command.toArray(String[]::new));
    }

    private static JsonNode generated(String option, String value) throws IOException {
        var run =
                Run.of(
                        "generate",
                        option,
                        value,
                        "--prompt",
                        "Question: what is 3 + 4?",
                        "--json",
                        "--max-tokens",
                        "24",
                        "--set",
                        "ignoreEndOfSequence=true");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return JSON.readTree(run.out());
    }
}
