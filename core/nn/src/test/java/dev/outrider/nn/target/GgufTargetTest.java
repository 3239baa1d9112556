package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.RawGguf;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.quantise.Quantiser;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
            assertThat(
                            target.capability(ChatFormatter.class)
                                    .orElseThrow()
                                    .format(List.of("Hello")))
                    .isEqualTo("<|endoftext|>user: Hello");
        }
    }

    @Test
    void anotherPrecisionIsMadeOfItsNumbers() throws IOException {
        var file = converted(directory.resolve("one.gguf"));
        try (var expected = open(FOLDER, Optional.of(Precision.INT8));
                var target = open(file, Optional.of(Precision.INT8))) {
            assertThat(target.description().backend()).isEqualTo("vector/int8");
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

    /// As llama.cpp's converter does: rows of queries and keys that rotate together side by side.
    private static Path converted(Path path) throws IOException {
        var folder = new Checkpoint(FOLDER);
        var config = ModelConfig.read(folder).decoder();
        var file =
                new RawGguf()
                        .text("general.architecture", "llama")
                        .number("llama.context_length", config.maxPositions())
                        .number("llama.embedding_length", config.hiddenSize())
                        .number("llama.block_count", config.layers())
                        .number("llama.feed_forward_length", config.intermediateSize())
                        .number("llama.attention.head_count", config.heads())
                        .number("llama.attention.head_count_kv", config.keyValueHeads())
                        .number("llama.attention.key_length", config.headSize())
                        .number("llama.attention.value_length", config.headSize())
                        .number("llama.rope.dimension_count", config.headSize())
                        .real("llama.rope.freq_base", (float) config.ropeTheta())
                        .real(
                                "llama.attention.layer_norm_rms_epsilon",
                                (float) config.normEpsilon());
        tokens(
                file,
                new ObjectMapper().readTree(folder.tokenizer().toFile()),
                config.vocabularySize());
        try (var tensors = folder.openTensors()) {
            for (var name : tensors.names()) {
                var tensor = tensors.tensor(name);
                long[] shape = tensor.shape().stream().mapToLong(size -> size).toArray();
                var bytes = tensor.data().toArray(ValueLayout.JAVA_BYTE);
                boolean turned = name.contains("q_proj") || name.contains("k_proj");
                file.tensor(
                        renamed(name),
                        GgufType.valueOf(tensor.type().name()),
                        turned ? interleaved(bytes, (int) shape[0], config.headSize()) : bytes,
                        shape);
            }
        }
        return file.write(path);
    }

    private static byte[] interleaved(byte[] bytes, int rows, int head) {
        int size = bytes.length / rows;
        var result = new byte[bytes.length];
        for (int row = 0; row < rows; row++) {
            int pair = row % head / 2;
            int from = row / head * head + row % 2 * head / 2 + pair;
            System.arraycopy(bytes, from * size, result, row * size, size);
        }
        return result;
    }

    private static String renamed(String name) {
        return name.replace("model.embed_tokens", "token_embd")
                .replace("model.norm", "output_norm")
                .replace("model.layers", "blk")
                .replace("input_layernorm", "attn_norm")
                .replace("post_attention_layernorm", "ffn_norm")
                .replace("self_attn.o_proj", "attn_output")
                .replaceAll("self_attn\\.([qkv])_proj", "attn_$1")
                .replaceAll("mlp\\.(\\w+)_proj", "ffn_$1");
    }

    private static void tokens(RawGguf file, JsonNode json, int size) {
        var tokens = new ArrayList<String>();
        var kinds = new ArrayList<Integer>();
        for (int id = 0; id < size; id++) {
            tokens.add("[PAD%d]".formatted(id));
            kinds.add(5);
        }
        for (var entry : json.path("model").path("vocab").properties()) {
            tokens.set(entry.getValue().intValue(), entry.getKey());
            kinds.set(entry.getValue().intValue(), 1);
        }
        for (var added : json.path("added_tokens")) {
            tokens.set(added.path("id").intValue(), added.path("content").textValue());
            kinds.set(added.path("id").intValue(), 3);
        }
        var merges = new ArrayList<String>();
        for (var merge : json.path("model").path("merges")) {
            merges.add(
                    merge.isArray()
                            ? merge.path(0).textValue() + " " + merge.path(1).textValue()
                            : merge.textValue());
        }
        file.text("tokenizer.ggml.model", "gpt2")
                .text("tokenizer.ggml.pre", "gpt-2")
                .texts("tokenizer.ggml.tokens", tokens)
                .numbers("tokenizer.ggml.token_type", kinds)
                .texts("tokenizer.ggml.merges", merges)
                .number("tokenizer.ggml.bos_token_id", 0)
                .number("tokenizer.ggml.eos_token_id", 0)
                .text(
                        "tokenizer.chat_template",
                        "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}");
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
