package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.quantise.Quantiser;
import dev.outrider.nn.shape.GgufExport;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A trained model as one GGUF file is the same target as its folder.
class GgufTargetTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("outrider.root", "../.."), "models", "tiny-target");
    private static final String TEXT = "Once upon a time there was a fox. <|endoftext|> Its";

    @TempDir Path directory;

    @Test
    void readsTextsAndWritesLogitsAsTheFolderDoes() throws IOException {
        var file = converted(directory.resolve("one.gguf"));
        try (var expected = open(FOLDER, Optional.empty());
                var target = open(file, Optional.empty())) {
            var description = target.description();
            assertThat(description.name()).isEqualTo("one");
            assertThat(description.backend()).isEqualTo("vector/bf16");
            assertThat(description.vocabularySize())
                    .isEqualTo(expected.description().vocabularySize());
            assertThat(description.endOfSequence())
                    .isEqualTo(expected.description().endOfSequence());
            assertThat(description.parameters()).isEqualTo(expected.description().parameters());
            int[] tokens = expected.tokenizer().encode(TEXT, true);
            assertThat(target.tokenizer().encode(TEXT, true)).isEqualTo(tokens);
            assertThat(target.tokenizer().decode(tokens))
                    .isEqualTo(expected.tokenizer().decode(tokens));
            assertThat(logits(target, tokens)).isDeepEqualTo(logits(expected, tokens));
        }
    }

    @Test
    void anotherPrecisionIsMadeOfItsNumbers() throws IOException {
        var file = converted(directory.resolve("one.gguf"));
        try (var expected = open(FOLDER, Optional.of(Precision.INT8));
                var target = open(file, Optional.of(Precision.INT8))) {
            assertThat(target.description().backend()).isEqualTo("vector/int8, int8 rows");
            int[] tokens = {5, 300, 7, 7, 1};
            assertThat(logits(target, tokens)).isDeepEqualTo(logits(expected, tokens));
        }
    }

    @Test
    void isNotQuantisedAgain() throws IOException {
        var file = new Checkpoint(converted(directory.resolve("one.gguf")));
        var quantiser = new Quantiser(Levels.EIGHT_BITS, (_, _, _) -> {}, () -> false);
        assertThatThrownBy(() -> quantiser.write(file, directory.resolve("out")))
                .hasMessageContaining("is a GGUF file; expected a folder with safetensors");
    }

    private static Path converted(Path path) {
        GgufExport.write(new Checkpoint(FOLDER), path);
        return path;
    }

    /// As Qwen2 has them.
    @Test
    void biasesOfQueriesKeysAndValuesAreKept() throws IOException {
        var biased = new Altered();
        biased.config.put("model_type", "qwen2");
        for (int layer = 0; layer < 2; layer++) {
            var start = "model.layers.%d.self_attn.".formatted(layer);
            biased.put(start + "q_proj.bias", 64);
            biased.put(start + "k_proj.bias", 32);
            biased.put(start + "v_proj.bias", 32);
        }
        var folder = biased.write(directory.resolve("biased"));
        var file = directory.resolve("one.gguf");
        GgufExport.write(new Checkpoint(folder), file);
        try (var expected = open(folder, Optional.empty());
                var target = open(file, Optional.empty())) {
            int[] tokens = {5, 300, 7, 7, 1};
            assertThat(logits(target, tokens)).isDeepEqualTo(logits(expected, tokens));
        }
    }

    /// As Gemma 3 1B has one.
    @Test
    void anAddedTokenThatTheModelHasNoRowForIsLeftOut() throws IOException {
        var more = new Altered();
        more.add(512, "<soft>");
        try (var target = open(export(more), Optional.empty())) {
            assertThat(target.tokenizer().vocabularySize()).isEqualTo(512);
        }
    }

    @Test
    void endTokensTheTokenBeforeTextsAndTheTemplatesAreKept() throws IOException {
        var chat = new Altered();
        chat.config.putArray("eos_token_id").add(510).add(0).add(511).add(600);
        chat.add(1, "Ā");
        chat.add(510, "Table");
        chat.add(511, "Fields");
        var frame = chat.tokenizer.putObject("post_processor").put("type", "TemplateProcessing");
        var single = frame.putArray("single");
        single.addObject().putObject("SpecialToken").put("id", "Ā").put("type_id", 0);
        single.addObject().putObject("Sequence").put("id", "A").put("type_id", 0);
        frame.putArray("pair");
        var special = frame.putObject("special_tokens").putObject("Ā").put("id", "Ā");
        special.putArray("ids").add(1);
        special.putArray("tokens").add("Ā");
        var folder = Files.createDirectories(directory.resolve("altered"));
        Files.writeString(
                folder.resolve("tokenizer_config.json"),
                """
                {"chat_template": [{"name": "default", "template": "{{ bos_token }}plain"},
                  {"name": "tool_use", "template": "{{ eos_token }}tools"}]}
                """);
        var file = export(chat);

        var request = ChatRequest.of(new ChatMessage("user", "Hello"));
        var template = ChatTemplates.of(file).orElseThrow();
        assertThat(template.render(request)).isEqualTo("Āplain");
        var withTools = new ChatRequest(request.messages(), List.of(chat.config), true, Map.of());
        assertThat(template.render(withTools)).isEqualTo("Tabletools");
        assertThat(ModelConfig.read(new Checkpoint(file)).endOfSequence())
                .containsExactly(510, 0, 511);
        try (var target = open(file, Optional.empty())) {
            assertThat(target.tokenizer().encode("a", true)).startsWith(1).hasSize(2);
        }
        Files.delete(file);
        chat.config.withArray("eos_token_id").add(1);
        assertThatThrownBy(() -> export(chat))
                .hasMessageContaining(
                        "the end tokens [510, 0, 511, 1], and the format names at most 3")
                .hasMessageContaining("List fewer in eos_token_id");
    }

    @Test
    void tensorsThatTheFormCannotHaveAreNamed() throws IOException {
        var more = new Altered();
        more.put("model.layers.0.mlp.up_proj.bias", 176);
        assertThatThrownBy(() -> export(more))
                .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED")
                .hasMessageContaining("holds tensor 'model.layers.0.mlp.up_proj.bias'");

        var wide = new Altered();
        var name = "model.layers.1.mlp.down_proj.weight";
        wide.tensors.put(
                name,
                new StoredTensor(
                        name,
                        TensorType.F64,
                        List.of(64L, 176L),
                        Arena.ofAuto().allocate(64 * 176 * 8, 8)));
        assertThatThrownBy(() -> export(wide))
                .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED")
                .hasMessageContaining("tensor '%s' of type F64", name)
                .hasMessageContaining("weights in F32, F16 or BF16");

        var fused = new Altered();
        for (int layer = 0; layer < 2; layer++) {
            var start = "model.layers.%d.".formatted(layer);
            fused.tensors
                    .keySet()
                    .removeIf(each -> each.startsWith(start) && each.matches(".*[qkvep]_proj.*"));
            fused.put(start + "self_attn.qkv_proj.weight", 128, 64);
            fused.put(start + "mlp.gate_up_proj.weight", 352, 64);
        }
        assertThatThrownBy(() -> export(fused))
                .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED")
                .hasMessageContaining(
                        "several projections in one tensor, 'model.layers.0.self_attn.qkv_proj.weight'");
        assertThat(directory.resolve("one.gguf")).doesNotExist();
    }

    private Path export(Altered model) throws IOException {
        var file = directory.resolve("one.gguf");
        GgufExport.write(new Checkpoint(model.write(directory.resolve("altered"))), file);
        return file;
    }

    /// As llama.cpp's converter does: rows of queries and keys that rotate together are side by side.
    @Test
    void rowsThatRotateTogetherAreSideBySide() throws IOException {
        try (var folder = new Checkpoint(FOLDER).openTensors();
                var file = new Checkpoint(converted(directory.resolve("one.gguf"))).openTensors()) {
            var query = folder.tensor("model.layers.1.self_attn.q_proj.weight");
            var written = file.tensor("blk.1.attn_q.weight");
            int half = ModelConfig.read(new Checkpoint(FOLDER)).decoder().headSize() / 2;

            assertThat(written.row(2).toFloats()).isEqualTo(query.row(1).toFloats());
            assertThat(written.row(3).toFloats()).isEqualTo(query.row(half + 1).toFloats());
            assertThat(file.tensor("blk.1.attn_v.weight").toFloats())
                    .isEqualTo(folder.tensor("model.layers.1.self_attn.v_proj.weight").toFloats());
        }
    }

    @Test
    void aFileThatIsThereIsKept() throws IOException {
        var file = Files.writeString(directory.resolve("one.gguf"), "mine");
        assertThatThrownBy(() -> converted(file))
                .hasMessageContaining("is there already; expected the name of a new file");
        assertThat(file).hasContent("mine");
    }

    @Test
    void otherFormsAreNotWritten() {
        var experts = FOLDER.resolveSibling("demo-moe-target");
        assertThatThrownBy(() ->
                        GgufExport.write(new Checkpoint(experts), directory.resolve("moe.gguf")))
                .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED")
                .hasMessageContaining("cannot be written as a GGUF file: it has experts")
                .hasMessageContaining("Choose a decoder of Llama's form.");
        assertThat(directory.resolve("moe.gguf")).doesNotExist();
    }

    @Test
    void aFileIsNotWrittenAgain() throws IOException {
        var file = new Checkpoint(converted(directory.resolve("one.gguf")));
        assertThatThrownBy(() -> GgufExport.write(file, directory.resolve("two.gguf")))
                .hasMessageContaining("it has the GGUF format already")
                .hasMessageContaining("Use it as it is");
    }

    @Test
    void quantisedWeightsAreNotWritten() {
        var folder = directory.resolve("int8");
        new Quantiser(Levels.EIGHT_BITS, (_, _, _) -> {}, () -> false)
                .write(new Checkpoint(FOLDER), folder);
        assertThatThrownBy(() ->
                        GgufExport.write(new Checkpoint(folder), directory.resolve("one.gguf")))
                .hasMessageContaining("it has quantised weights")
                .hasMessageContaining("weights in F32, F16 or BF16");
    }

    @Test
    void readsTheChatTemplateOfAFile() throws IOException {
        var file =
                new GgufWriter()
                        .text("general.architecture", "llama")
                        .texts("tokenizer.ggml.tokens", List.of("<|endoftext|>"))
                        .number("tokenizer.ggml.bos_token_id", 0)
                        .text(
                                "tokenizer.chat_template",
                                "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}")
                        .write(directory.resolve("chat.gguf"));
        assertThat(
                        ChatTemplates.of(file)
                                .orElseThrow()
                                .render(ChatRequest.of(new ChatMessage("user", "Hello"))))
                .isEqualTo("<|endoftext|>user: Hello");
    }

    /// A copy of the model, in which a test changes what it wants.
    private static final class Altered {
        private static final ObjectMapper MAPPER = new ObjectMapper();
        final ObjectNode config = json("config.json");
        final ObjectNode tokenizer = json("tokenizer.json");
        final Map<String, StoredTensor> tensors = new TreeMap<>();

        Altered() {
            try (var stored = new Checkpoint(FOLDER).openTensors()) {
                for (var name : stored.names()) {
                    var tensor = stored.tensor(name);
                    put(name, tensor.toFloats(), tensor.shape());
                }
            }
        }

        private static ObjectNode json(String name) {
            try {
                return (ObjectNode) MAPPER.readTree(FOLDER.resolve(name).toFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void put(String name, float[] numbers, List<Long> shape) {
            long[] sizes = shape.stream().mapToLong(size -> size).toArray();
            tensors.put(name, StoredTensor.ofFloats(name, numbers, sizes));
        }

        /// Adds a tensor of random numbers.
        void put(String name, long... shape) {
            var random = new Random(name.hashCode());
            var numbers = new float[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = random.nextFloat() - 0.5f;
            }
            tensors.put(name, StoredTensor.ofFloats(name, numbers, shape));
        }

        /// Adds a token that is found before a text is divided.
        void add(int id, String content) {
            ArrayNode added = tokenizer.withArray("added_tokens");
            ObjectNode token = added.get(0).deepCopy();
            added.add(token.put("id", id).put("content", content));
        }

        Path write(Path folder) throws IOException {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("config.json"), config.toString());
            Files.writeString(folder.resolve("tokenizer.json"), tokenizer.toString());
            SafetensorsWriter.write(
                    folder.resolve("model.safetensors"), tensors.values(), Map.of());
            return folder;
        }
    }

    private static TargetModel open(Path path, Optional<Precision> precision) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                path,
                                precision,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    private static float[][] logits(TargetModel target, int[] tokens) {
        try (var session = target.open(SessionRequest.ofCapacity(tokens.length));
                var scores =
                        session.score(
                                TokenTree.chain(
                                        tokens[0], Arrays.copyOfRange(tokens, 1, tokens.length)))) {
            var rows = new ArrayList<float[]>();
            for (int row = 0; row < tokens.length; row++) {
                rows.add(scores.logits(row).toArray(ValueLayout.JAVA_FLOAT));
            }
            return rows.toArray(float[][]::new);
        }
    }
}
