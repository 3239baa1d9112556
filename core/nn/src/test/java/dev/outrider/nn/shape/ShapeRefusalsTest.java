package dev.outrider.nn.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checkpoints that cannot be set into a larger shape, and with which words they are refused.
class ShapeRefusalsTest extends ShapeFiles {
    @ParameterizedTest
    @CsvSource({
        "gemma, norms whose weights are stored as the difference from 1",
        "granite, attention scores with a factor",
        "olmo2, other norms than RMS norms before the blocks",
        "mixtral, experts",
        "smollm3, layers that are parallel"
    })
    void otherFormsAreRefusedByWhatTheyHave(String family, String what) throws URISyntaxException {
        var source = Path.of(getClass().getResource("/decoders/" + family).toURI());

        assertRefused(source, ErrorCode.CHECKPOINT_UNSUPPORTED, what);
    }

    @Test
    void scaledRotationsAreRefused() {
        assertRefused(
                small ->
                        small.config
                                .putObject("rope_scaling")
                                .put("type", "linear")
                                .put("factor", 2),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "scaled rotary positions");
    }

    @Test
    void windowsAreRefused() {
        assertRefused(
                small -> small.config.put("model_type", "mistral").put("sliding_window", 8),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "layers with a window");
    }

    @Test
    void biasesThatAreNotHandledAreRefused() {
        assertRefused(
                small -> small.config.put("mlp_bias", true),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "biases of the output projection");
    }

    @Test
    void aShapeWhoseHeadIsItsEmbeddingTakesNoOtherHead() {
        var source = new Small("llama", "model.", false).write(folder.resolve("untied"));

        assertRefused(source, ErrorCode.CONFIG_INVALID, "it has a head of its own");
        assertThat(ShapedCheckpoint.shapes(new Checkpoint(shaped(source, false))))
                .containsKey("llama-7b")
                .doesNotContainKeys("demo-target", "experts-1b");
    }

    @Test
    void missingSizesAreRefused() {
        assertRefused(
                small -> small.config.remove("num_hidden_layers"),
                ErrorCode.MODEL_CONFIG_INVALID,
                "num_hidden_layers");
        assertRefused(
                small -> small.config.put("num_key_value_heads", 0),
                ErrorCode.MODEL_CONFIG_INVALID,
                "num_key_value_heads");
        assertRefused(
                small -> small.config.put("num_key_value_heads", 3),
                ErrorCode.MODEL_CONFIG_INVALID,
                "4 heads cannot share 3");
    }

    @Test
    void aTensorOfAnotherShapeThanTheConfigurationSaysIsRefused() {
        assertRefused(
                small -> small.put("model.layers.1.mlp.down_proj.weight", HIDDEN, 22),
                ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                "down_proj");
        assertRefused(
                small -> small.put("model.norm.weight", 2, HIDDEN),
                ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                "model.norm.weight");
    }

    @Test
    void moreLayersThanTheConfigurationSaysAreRefused() {
        assertRefused(
                small -> small.config.put("num_hidden_layers", 1),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "model.layers.1.");
    }

    @Test
    void aHeadThatCountsTheTargetsLayersIsRefused() {
        assertRefused(
                small -> {
                    small.tensors.clear();
                    small.put("fc.weight", HIDDEN, 3 * HIDDEN);
                    small.put("midlayer.hidden_norm.weight", HIDDEN);
                },
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "does not name the target's layers");
    }

    @Test
    void theTargetsLayersOfAHeadStayThoseOfTheSmallTarget() throws IOException {
        var head = new Small("qwen3", "", false);
        head.tensors.clear();
        head.put("fc.weight", HIDDEN, 2 * HIDDEN);
        head.config.put("num_target_layers", 6).put("target_hidden_size", HIDDEN);
        head.config.putObject("dflash_config").put("mask_token_id", 3);
        var written = shaped(head.write(folder.resolve("head")), false).resolve("config.json");
        var config = MAPPER.readTree(written.toFile());

        assertThat(config.path("num_target_layers").intValue()).isEqualTo(6);
        assertThat(config.path("hidden_size").intValue()).isEqualTo(40);
        assertThat(config.path("target_hidden_size").intValue()).isEqualTo(40);

        head.config.remove("num_target_layers");
        assertRefused(
                head.write(folder.resolve("head")),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "does not name the target's layers");
    }

    @Test
    void ggufFilesAndShapesWithExpertsAreRefused() throws URISyntaxException, IOException {
        var models = Path.of(getClass().getResource("/gguf/models").toURI());
        try (var files = Files.walk(models)) {
            var file = files.filter(each -> each.toString().endsWith(".gguf")).findFirst();
            assertRefused(file.orElseThrow(), ErrorCode.CHECKPOINT_UNSUPPORTED, "the GGUF format");
        }
        assertThatThrownBy(() -> ShapedCheckpoint.named("experts-1b"))
                .hasMessageContaining("there is no shape 'experts-1b'");
    }

    private void assertRefused(Consumer<Small> change, ErrorCode code, String what) {
        var small = new Small("llama", "model.", true);
        change.accept(small);
        assertRefused(small.write(folder.resolve("small")), code, what);
    }

    private void assertRefused(Path source, ErrorCode code, String what) {
        var out = folder.resolve("refused");

        assertThatThrownBy(() ->
                        ShapedCheckpoint.write(
                                new Checkpoint(source), "larger", larger(true), false, out))
                .isInstanceOfSatisfying(
                        OutriderException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(what);
        assertThat(out).doesNotExist();
    }
}
