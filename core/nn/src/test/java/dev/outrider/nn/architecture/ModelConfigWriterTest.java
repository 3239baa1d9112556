package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeScaling;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the configurations that Outrider writes.
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
                        small(
                                "model_type",
                                "\"mixtral\"",
                                "num_local_experts",
                                "4",
                                "num_experts_per_tok",
                                "2"),
                        small("model_type", "\"qwen3\"", "attention_bias", "true"),
                        small("model_type", "\"mimo\"", "attention_bias", "true"))) {
            assertThat(readBack(config)).isEqualTo(config);
        }
    }

    @Test
    void writesEveryRotationThatItReads() throws IOException {
        var kinds = new HashSet<Class<?>>();
        for (var scaling :
                List.of(
                        "null",
                        "{'type':'dynamic','factor':4}",
                        "{'type':'linear','factor':2}",
                        "{'type':'llama3','factor':8,'low_freq_factor':1,'high_freq_factor':4,'original_max_position_embeddings':512}",
                        "{'type':'yarn','factor':4,'truncate':false}",
                        "{'type':'yarn','factor':4,'beta_fast':16,'beta_slow':2,'original_max_position_embeddings':512,'attention_factor':0.5}")) {
            var config = small("rope_scaling", scaling.replace('\'', '"'));
            kinds.add(config.decoder().ropeScaling().getClass());

            assertThat(readBack(config)).isEqualTo(config);
        }
        kinds.add(RopeScaling.LongRope.class); // Of no family that is written.
        assertThat(kinds).containsExactlyInAnyOrder(RopeScaling.class.getPermittedSubclasses());
    }

    private ModelConfig readBack(ModelConfig config) {
        var written = directory.resolve("written");
        ModelConfigWriter.write(config, written);
        return ModelConfig.read(new Checkpoint(written));
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
                        "no model type that Outrider writes has the biases, norms and windows of ");
    }

    /// One encoder of T5 with a decoder of another depth, as [T5Reader] reads them.
    private static String t5(String feedForward, boolean tied) {
        return """
        {"model_type": "t5", "vocab_size": 40, "d_model": 8, "d_kv": 6, "d_ff": 12, "num_layers": 2, "num_decoder_layers": 3,
         "num_heads": 2, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12, "n_positions": 64,
         "layer_norm_epsilon": 1e-5, "feed_forward_proj": "%s", "tie_word_embeddings": %s, "pad_token_id": 3,
         "eos_token_id": 1, "torch_dtype": "bfloat16"}
        """
                .formatted(feedForward, tied);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "relu",
                "gated-relu",
                "gated-gelu",
                "gelu",
                "gelu_new",
                "silu",
                "gated-silu"
            })
    void anEncoderDecoderReadsBackToTheSame(String feedForward) throws IOException {
        for (boolean tied : new boolean[] {true, false}) {
            var original = Files.createDirectories(directory.resolve("t5-" + tied));
            Files.writeString(original.resolve("config.json"), t5(feedForward, tied));
            var config = ModelConfig.read(new Checkpoint(original));
            var written = directory.resolve("written-" + tied);
            ModelConfigWriter.write(config, written);
            assertThat(ModelConfig.read(new Checkpoint(written))).isEqualTo(config);
        }
    }

    @Test
    void refusesAnEncoderOfAnotherWidth() throws IOException {
        Files.writeString(directory.resolve("config.json"), t5("gated-gelu", true));
        var config = ModelConfig.read(new Checkpoint(directory));
        var encoder = config.encoder().orElseThrow();
        var wider = encoder.stack().toBuilder().intermediateSize(99).build();
        var unlike =
                new ModelConfig(
                        config.family(),
                        config.decoder(),
                        config.beginOfSequence(),
                        config.endOfSequence(),
                        config.storage(),
                        config.quantisation(),
                        Optional.of(new EncoderConfig(wider, encoder.start())));
        assertThatThrownBy(() -> ModelConfigWriter.toJson(unlike))
                .hasMessageStartingWith("model type t5 cannot express the decoder ");
    }
}
