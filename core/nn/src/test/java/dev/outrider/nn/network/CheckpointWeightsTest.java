package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointWeightsTest {
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(3)
                    .hiddenSize(4)
                    .intermediateSize(4)
                    .layers(2)
                    .heads(2)
                    .keyValueHeads(1)
                    .maxPositions(8)
                    .tiedHead(true)
                    .build();

    @TempDir Path directory;

    @Test
    void knowsTheSpellingsOfWrappedAndBareDecoders() {
        assertThat(name(Set.of("model.embed_tokens.weight"), Weight.QUERY))
                .isEqualTo("model.layers.1.self_attn.q_proj.weight");
        assertThat(name(Set.of("model.language_model.embed_tokens.weight"), Weight.FINAL_NORM))
                .isEqualTo("model.language_model.norm.weight");
        assertThat(name(Set.of("language_model.model.embed_tokens.weight"), Weight.DOWN))
                .isEqualTo("language_model.model.layers.1.mlp.down_proj.weight");
        assertThat(name(Set.of("language_model.model.embed_tokens.weight"), Weight.HEAD))
                .isEqualTo("language_model.lm_head.weight");
        assertThat(name(Set.of("embed_tokens.weight"), Weight.KEY_NORM))
                .isEqualTo("layers.1.self_attn.k_norm.weight");
        assertThat(name(Set.of("something"), Weight.EMBEDDING))
                .isEqualTo("model.embed_tokens.weight");
    }

    @Test
    void readsEveryWeightThatIsThere() {
        var stored = decoder("model.language_model.");
        stored.add(
                StoredTensor.ofFloats(
                        "model.language_model.layers.0.self_attn.rotary_emb.inv_freq",
                        new float[1],
                        1));
        stored.add(StoredTensor.ofFloats("lm_head.weight", new float[12], 3, 4));
        try (var tensors = tensors(stored);
                var manager = TensorRuntime.newManager()) {
            var weights = new CheckpointWeights(CONFIG, tensors);
            for (var weight : Weight.values()) {
                if (weight.present(CONFIG)) {
                    try (var tensor = weights.load(weight, 0, ElementType.F32, manager)) {
                        assertThat(tensor.array().getShape().getShape())
                                .isEqualTo(weight.shape(CONFIG, 0));
                    }
                }
            }
        }
    }

    @Test
    void refusesABiasTheConfigurationDoesNotHave() {
        var stored = decoder("model.");
        stored.add(StoredTensor.ofFloats("model.layers.1.self_attn.q_proj.bias", new float[4], 4));
        try (var tensors = tensors(stored)) {
            assertThatThrownBy(() -> new CheckpointWeights(CONFIG, tensors))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_UNSUPPORTED: '%s' holds tensor 'model.layers.1.self_attn.q_proj.bias', which the model of its config.json does not have
                              Check that config.json and the weights belong to the same model.\
                            """
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    @Test
    void namesATensorOfTheWrongShape() {
        var stored = decoder("model.");
        stored.removeIf(tensor -> tensor.name().equals("model.layers.0.mlp.up_proj.weight"));
        stored.add(StoredTensor.ofFloats("model.layers.0.mlp.up_proj.weight", new float[20], 5, 4));
        try (var tensors = tensors(stored);
                var manager = TensorRuntime.newManager()) {
            var weights = new CheckpointWeights(CONFIG, tensors);
            assertThatThrownBy(() -> weights.load(Weight.UP, 0, ElementType.F32, manager))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining(
                            "tensor 'model.layers.0.mlp.up_proj.weight' of '%s' has shape [5, 4]; expected [4, 4]"
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    private static String name(Set<String> names, Weight weight) {
        return WeightNames.in(names).of(weight, 1);
    }

    private static List<StoredTensor> decoder(String prefix) {
        var names = new WeightNames(prefix, "lm_head.weight");
        var stored = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            for (int layer = 0;
                    weight.present(CONFIG) && layer < (weight.perLayer() ? 2 : 1);
                    layer++) {
                var values = new float[(int) weight.elements(CONFIG, layer)];
                stored.add(
                        StoredTensor.ofFloats(
                                names.of(weight, layer), values, weight.shape(CONFIG, layer)));
            }
        }
        return stored;
    }

    private CheckpointTensors tensors(List<StoredTensor> stored) {
        var path = directory.resolve("model.safetensors");
        SafetensorsWriter.write(path, stored, Map.of());
        return CheckpointTensors.ofFile(path);
    }
}
