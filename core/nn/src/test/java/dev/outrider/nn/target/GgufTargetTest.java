package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.quantise.Quantiser;
import dev.outrider.nn.shape.GgufExport;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
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

    private static Path converted(Path path) {
        GgufExport.write(new Checkpoint(FOLDER), path);
        return path;
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
                .hasMessageContaining("experts");
        assertThat(directory.resolve("moe.gguf")).doesNotExist();
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
