package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.network.DecoderConfig;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Configurations that Outrider writes.
class ModelConfigWriterTest extends ConfigFiles {
    @Test
    void writesWhatItReads() throws IOException {
        for (var config :
                List.of(
                        read(LLAMA31),
                        small("attention_bias", "true", "mlp_bias", "true", "eos_token_id", "3"),
                        small("model_type", "\"mistral\"", "dtype", "\"float16\""),
                        small("model_type", "\"mistral\"", "sliding_window", "null"),
                        small(
                                "model_type",
                                "\"qwen2\"",
                                "use_sliding_window",
                                "true",
                                "sliding_window",
                                "7",
                                "max_window_layers",
                                "2"),
                        small(
                                "model_type",
                                "\"qwen3\"",
                                "head_dim",
                                "16",
                                "tie_word_embeddings",
                                "true"),
                        small("model_type", "\"qwen3\"", "attention_bias", "true"),
                        small("model_type", "\"mimo\"", "attention_bias", "true"),
                        small("rope_scaling", "{\"type\":\"linear\",\"factor\":2}"),
                        small(
                                "rope_scaling",
                                "{\"type\":\"yarn\",\"factor\":4,\"truncate\":false}"))) {
            var written = directory.resolve("written");
            ModelConfigWriter.write(config, written);
            assertThat(ModelConfig.read(new CheckpointDirectory(written))).isEqualTo(config);
        }
    }

    @Test
    void refusesToWriteWhatNoFamilyExpresses() {
        var decoder =
                DecoderConfig.builder()
                        .vocabularySize(10)
                        .hiddenSize(8)
                        .intermediateSize(8)
                        .layers(1)
                        .heads(1)
                        .maxPositions(8)
                        .tiedHead(true)
                        .queryKeyValueBias(true)
                        .feedForwardBias(true)
                        .build();
        assertThatThrownBy(() -> Family.of(decoder))
                .hasMessageStartingWith(
                        "no model type of [llama, mistral, qwen2, qwen3, mimo, t5, mt5, bart, marian] has the biases, norms and windows of ");
    }
}
