package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.torch.DjlTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests checkpoints in the shape of larger checkpoints.
class ShapedModelsTest {
    private static final String PROMPT = "Once upon a time there was a";
    private static final String SHAPE = "demo-target";
    private static final int TOKENS = 48;

    /// Checkpoints that are made once for all tests; tests do not change them.
    private static final Map<String, Path> WIDE = new HashMap<>();

    private static final Map<List<Object>, String> ROUNDS = new HashMap<>();

    @TempDir private static Path shapes;
    @TempDir private static Path shared;
    @TempDir private Path folder;

    @BeforeAll
    static void keepShapesHere() {
        System.setProperty("outrider.shapes", shapes.toString());
    }

    @AfterAll
    static void keepShapesWhereUsersDo() {
        System.clearProperty("outrider.shapes");
        WIDE.clear();
        ROUNDS.clear();
    }

    @ParameterizedTest
    @CsvSource({
        "small-model, tiny-draft",
        "eagle3, tiny-eagle3",
        "medusa, tiny-medusa",
        "dspark, tiny-dspark",
        "mtp, tiny-mtp"
    })
    void aShapedPairGuessesTheSameTokens(String drafter, String model) throws IOException {
        assertSameRounds(drafter, model, SHAPE);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "pard, tiny-pard",
        "eagle, tiny-eagle1",
        "p-eagle, tiny-p-eagle",
        "hydra, tiny-hydra",
        "redrafter, tiny-redrafter",
        "dflash, tiny-dflash"
    })
    void everyOtherShapedPairDoesSoToo(String drafter, String model) throws IOException {
        assertSameRounds(drafter, model, SHAPE);
    }

    @Tag("nightly")
    @Test
    void aShapeWithAHeadOfItsOwnDoesSoToo() throws IOException {
        assertSameRounds("eagle3", "tiny-eagle3", "llama-68m");
    }

    @Test
    void aTableOfTheSmallTargetFitsTheShapedOne() throws IOException {
        var target = wide("tiny-target");
        var table = model("tiny-ngram/table.safetensors");

        assertThat(rounds(at(target, SHAPE), "ngram", "table", table))
                .isEqualTo(rounds(target, "ngram", "table", table));
    }

    @Test
    void aBenchSaysWhoseTextAndWhoseCostsItsFiguresHave() throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("bench.yaml"),
                        """
                        name: bench
                        target: {use: vector, path: '%s'}
                        prompts: {texts: [%s]}
                        maxTokens: 4
                        warmup: 0
                        repetitions: 1
                        variants:
                          - {name: lookup, drafter: {use: prompt-lookup}}
                        """
                                .formatted(at(wide("tiny-target"), SHAPE), PROMPT));
        var out = folder.resolve("out").toString();
        var label = "The text is that of tiny-target, at the costs of demo-target.";
        var run = Run.of("bench", config.toString(), "--out", out);
        var json = Run.of("bench", config.toString(), "--out", out, "--json");

        assertThat(run.out()).as(run.err()).contains("\n" + label + "\n");
        assertThat(json.out()).as(json.err()).contains("\"shaped\" : \"" + label + "\"");
        var latest = folder.resolve("out/bench/latest");
        assertThat(latest.resolve("details.json")).content().contains(label);
        assertThat(latest.resolve("table.txt")).content().startsWith(label + "\n\n");
        assertThat(latest.resolve("report.html")).content().contains(">" + label + "</p>");
        assertThat(latest.resolve("report/report.md"))
                .content()
                .contains("# bench\n\n" + label + "\n\n| variant");
    }

    @Tag("nightly")
    @Test
    void aPairWithAPrefixLayerDoesSoToo() throws IOException {
        assertSameRounds(
                wide("demo-target"), "hydra-plus-plus", "demo-hydra-plus-plus", "stories110m");
    }

    private void assertSameRounds(String drafter, String model, String shape) throws IOException {
        assertSameRounds(wide("tiny-target"), drafter, model, shape);
    }

    /// Both have 32-bit floats, so that no weight is rounded and every round is identical, draws and residuals included.
    private void assertSameRounds(Path target, String drafter, String model, String shape)
            throws IOException {
        var head = wide(model);

        var small = rounds(target, drafter, head);
        var shaped = rounds(at(target, shape), drafter, at(head, shape));

        assertThat(small).contains("[", "<");
        assertThat(shaped).isEqualTo(small);
    }

    @ParameterizedTest
    @CsvSource({
        "small-model, tiny-draft, q_proj",
        "eagle3, tiny-eagle3, input_layernorm",
        "medusa, tiny-medusa, linear.weight",
        "dspark, tiny-dspark, k_norm"
    })
    void anotherFactorInAShapedHeadIsNoticed(String drafter, String model, String tensor)
            throws IOException {
        var target = wide("tiny-target");
        var head = wide(model);
        var right = ModelPaths.resolved(at(head, SHAPE));
        var wrong = copied(right, name -> name.contains(tensor) ? 1.3f : 1);

        assertThat(rounds(at(target, SHAPE), drafter, wrong))
                .isNotEqualTo(rounds(target, drafter, head));
    }

    private static Path at(Path model, String shape) {
        return model.resolveSibling(model.getFileName() + "@" + shape);
    }

    /// A copy of a shipped model in 32-bit floats, the same for all tests.
    private static Path wide(String name) throws IOException {
        var made = WIDE.get(name);
        if (made == null) {
            made = copied(model(name), shared, _ -> 1);
            WIDE.put(name, made);
        }
        return made;
    }

    /// Returns a copy for this test only.
    private Path copied(Path model, ToDoubleFunction<String> factor) throws IOException {
        return copied(model, folder, factor);
    }

    private static Path copied(Path model, Path to, ToDoubleFunction<String> factor)
            throws IOException {
        var copy = Files.createDirectories(to.resolve(String.valueOf(model.getFileName())));
        for (var file : List.of("config.json", "tokenizer.json")) {
            if (Files.exists(model.resolve(file))) {
                Files.copy(model.resolve(file), copy.resolve(file));
            }
        }
        write(model, copy, factor);
        return copy;
    }

    private static void write(Path from, Path to, ToDoubleFunction<String> factor) {
        var wide = new ArrayList<StoredTensor>();
        try (var tensors = new Checkpoint(from).openTensors()) {
            for (var name : tensors.names()) {
                var tensor = tensors.tensor(name);
                var numbers = tensor.toFloats();
                for (int index = 0; index < numbers.length; index++) {
                    numbers[index] *= (float) factor.applyAsDouble(name);
                }
                var shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
                wide.add(StoredTensor.ofFloats(name, numbers, shape));
            }
        }
        SafetensorsWriter.write(to.resolve("model.safetensors"), wide, Map.of());
    }

    @Test
    void aShapedTargetKeepsItsChatTemplate() throws IOException {
        var target = copied(model("tiny-target"), _ -> 1);
        Files.writeString(target.resolve("chat_template.jinja"), "{{ messages[0].content }}");
        var config =
                new VectorTargetConfig(
                        at(target, SHAPE),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        try (var model = new VectorTargetFactory().open(config)) {
            assertThat(model.capability(ChatFormatter.class)).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shaped", "shaped.gguf"})
    void anExportedShapeWritesTheSameText(String out) throws IOException {
        var target = wide("tiny-target");
        var exported = folder.resolve(out);
        var export =
                Run.of(
                        "export",
                        "shape",
                        "--model",
                        at(target, SHAPE).toString(),
                        "--out",
                        exported.toString());

        assertThat(export.exitCode()).as(export.err()).isEqualTo(ExitCode.OK);
        assertThat(text(exported)).isNotEmpty().isEqualTo(text(target));
    }

    private static String text(Path model) {
        var run =
                Run.of(
                        "generate",
                        "--max-tokens",
                        Integer.toString(TOKENS),
                        "--model",
                        model.toString(),
                        "--prompt",
                        PROMPT);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return run.out();
    }

    @Test
    void anExportWithoutAShapeIsRefused() {
        var run =
                Run.of(
                        "export",
                        "shape",
                        "--model",
                        model("tiny-target").toString(),
                        "--out",
                        folder.resolve("out").toString());

        assertThat(run.err()).contains("USAGE", "names no shape; expected MODEL@SHAPE");
    }

    @Test
    void aShapedTargetOfPyTorchHasTokenizerAndTemplateOfItsModel() throws IOException {
        var target = copied(model("tiny-target"), _ -> 1);
        Files.writeString(target.resolve("chat_template.jinja"), "{{ messages[0].content }}");
        var config =
                new DjlTarget.Config(
                        at(target, SHAPE),
                        Precision.F32,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        try (var model = new DjlTarget().open(config);
                var tokenizer = HfTokenizer.load(target.resolve("tokenizer.json"))) {
            assertThat(model.tokenizer().encode(PROMPT, false))
                    .isEqualTo(tokenizer.encode(PROMPT, false));
            assertThat(model.capability(ChatFormatter.class)).isPresent();
        }
    }

    @Test
    void aModelThatDoesNotFitIsRefused() throws IOException {
        var run =
                Run.of(
                        "generate",
                        "--model",
                        model("demo-target@stories260k").toString(),
                        "--prompt",
                        PROMPT);

        assertThat(run.err())
                .contains("CONFIG_INVALID", "needs hidden size 257", "the shape has 64");
    }

    @Test
    void aShapeThatFindsNoMemoryIsRefusedWithTheLargestThatDoes() throws IOException {
        var shaped = ModelPaths.open(at(wide("tiny-target"), "llama-68m"));

        assertThatThrownBy(() ->
                        LoadedDecoder.loadVector(
                                shaped,
                                Optional.empty(),
                                RowPrecision.INT8,
                                Optional.empty(),
                                () -> 100L << 20))
                .hasMessageContaining("the weights of model 'tiny-target@llama-68m' take ")
                .hasMessageContaining("but 100 MiB are available")
                // 58 MiB of weights, and up to 1 MiB that each processor reads.
                .hasMessageFindingMatch("Use @stories15m, which takes (59|6[0-4]) MiB");
        assertThatThrownBy(() ->
                        LoadedDecoder.loadVector(
                                shaped,
                                Optional.empty(),
                                RowPrecision.INT8,
                                Optional.empty(),
                                () -> 1000))
                .hasMessageContaining("Use a smaller model or");
    }

    @Test
    void whatAShapeTakesIsSaidBeforeItIsTaken() throws IOException {
        var printed = new ByteArrayOutputStream();
        var err = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            text(at(wide("tiny-target"), SHAPE));
        } finally {
            System.setErr(err);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsPattern("tiny-target@demo-target: \\d+ MiB of memory");
    }

    @Test
    void anUnknownShapeIsRefusedWithTheNearest() {
        var run =
                Run.of(
                        "generate",
                        "--model",
                        model("demo-target@tinylama-1.1b").toString(),
                        "--prompt",
                        PROMPT);

        assertThat(run.err())
                .contains("CONFIG_INVALID", "no shape 'tinylama-1.1b'", "tinyllama-1.1b");
    }

    /// Returns the accepted and the written tokens of every round.
    private String rounds(Path target, String drafter, Path head) throws IOException {
        return rounds(target, drafter, "path", head);
    }

    /// @param key of the drafter's configuration that names its files
    private String rounds(Path target, String drafter, String key, Path head) throws IOException {
        List<Object> asked = List.of(target, drafter, head);
        var known = ROUNDS.get(asked);
        return known == null ? run(asked, target, drafter, key, head) : known;
    }

    private String run(List<Object> asked, Path target, String drafter, String key, Path head)
            throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("config.yaml"),
                        """
                        name: shaped
                        target: {use: vector, path: '%s'}
                        sampling: {temperature: 1}
                        ignoreEndOfSequence: true
                        variants:
                          - {name: drafts, drafter: {use: %s, %s: '%s', length: 3}}
                        """
                                .formatted(target, drafter, key, head));
        var run =
                Run.of(
                        "generate",
                        "--trace",
                        "--max-tokens",
                        Integer.toString(TOKENS),
                        "--config",
                        config.toString(),
                        "--prompt",
                        PROMPT);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        ROUNDS.put(asked, run.out());
        return run.out();
    }

    private static Path model(String name) {
        return Shipped.ROOT.resolve("models").resolve(name).toAbsolutePath().normalize();
    }
}
