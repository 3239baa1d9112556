package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.SharedFiles;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeScaling;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests the configurations that the families' files are read as.
class ModelConfigTest extends ConfigFiles {
    @Test
    void readsAKnownModel() {
        var config =
                ModelConfig.read(new Checkpoint(SharedFiles.orSkip("checkpoints/stories260K")));
        assertThat(config)
                .isEqualTo(
                        new ModelConfig(
                                Family.LLAMA,
                                DecoderConfig.builder()
                                        .vocabularySize(512)
                                        .hiddenSize(64)
                                        .intermediateSize(172)
                                        .layers(5)
                                        .heads(8)
                                        .keyValueHeads(4)
                                        .maxPositions(512)
                                        .tiedHead(true)
                                        .build(),
                                List.of(1),
                                List.of(2),
                                Optional.of(TensorType.F32)));
    }

    @Test
    void readsLlama31() throws IOException {
        var config = read(LLAMA31);
        assertThat(config.family()).isEqualTo(Family.LLAMA);
        assertThat(config.beginOfSequence()).containsExactly(128000);
        assertThat(config.endOfSequence()).containsExactly(128001, 128008, 128009);
        assertThat(config.storage()).contains(TensorType.BF16);
        assertThat(config.decoder())
                .isEqualTo(
                        DecoderConfig.builder()
                                .vocabularySize(128256)
                                .hiddenSize(4096)
                                .intermediateSize(14336)
                                .layers(32)
                                .heads(32)
                                .keyValueHeads(8)
                                .maxPositions(131072)
                                .ropeTheta(500_000)
                                .ropeScaling(new RopeScaling.Llama3(8, 1, 4, 8192))
                                .build());
    }

    @Test
    void addsTheEndsOfGeneration() throws IOException {
        Files.writeString(
                directory.resolve("generation_config.json"), "{\"eos_token_id\":[128009,7]}");
        assertThat(read(LLAMA31).endOfSequence()).containsExactly(128001, 128008, 128009, 7);
        assertThat(read(LLAMA31).endTokensWithRow()).containsOnly(128001, 128008, 128009, 7);
        assertThat(read(LLAMA31.replace("128256", "128009")).endTokensWithRow())
                .containsOnly(128001, 128008, 7);
        Files.writeString(directory.resolve("generation_config.json"), "{}");
        assertThat(read(LLAMA31).endOfSequence()).containsExactly(128001, 128008, 128009);
    }

    @Test
    void givesLlamaItsDefaults() throws IOException {
        var config = read(SMALL);
        assertThat(config.decoder())
                .isEqualTo(
                        DecoderConfig.builder()
                                .vocabularySize(100)
                                .hiddenSize(64)
                                .intermediateSize(128)
                                .layers(4)
                                .heads(8)
                                .maxPositions(2048)
                                .normEpsilon(1e-6)
                                .build());
        assertThat(config.endOfSequence()).isEmpty();
        assertThat(config.storage()).isEmpty();
    }

    @Test
    void readsTheBiasesOfLlama() throws IOException {
        var decoder = small("attention_bias", "true", "mlp_bias", "true").decoder();
        assertThat(decoder.queryKeyValueBias()).isTrue();
        assertThat(decoder.outputBias()).isTrue();
        assertThat(decoder.feedForwardBias()).isTrue();
    }

    @Test
    void givesQwen2BiasesOnQueriesKeysAndValuesOnly() throws IOException {
        var decoder =
                small(
                                "model_type",
                                "\"qwen2\"",
                                "sliding_window",
                                "32",
                                "use_sliding_window",
                                "false")
                        .decoder();
        assertThat(decoder.queryKeyValueBias()).isTrue();
        assertThat(decoder.outputBias()).isFalse();
        assertThat(decoder.queryKeyNorm()).isFalse();
        assertThat(decoder.slidingWindow()).isEmpty();
    }

    @Test
    void readsMimoAsAQwen2WithModulesBesideIt() throws IOException {
        var config =
                small("model_type", "\"mimo\"", "num_nextn_predict_layers", "1", "head_dim", "16");
        assertThat(config.family()).isEqualTo(Family.MIMO);
        assertThat(config.decoder().queryKeyValueBias()).isTrue();
        assertThat(config.decoder().outputBias()).isFalse();
        assertThat(config.decoder().headSize()).isEqualTo(16);
    }

    @Test
    void givesQwen2WindowsInTheUpperLayers() throws IOException {
        var decoder =
                small(
                                "model_type",
                                "\"qwen2\"",
                                "sliding_window",
                                "32",
                                "use_sliding_window",
                                "true",
                                "max_window_layers",
                                "3")
                        .decoder();
        assertThat(decoder.window(2)).isEmpty();
        assertThat(decoder.window(3)).hasValue(32);
        assertThat(
                        small(
                                        "model_type",
                                        "\"qwen2\"",
                                        "sliding_window",
                                        "32",
                                        "use_sliding_window",
                                        "true")
                                .decoder()
                                .slidingWindow())
                .isEmpty();
    }

    @Test
    void givesQwen3NormsAndItsOwnHeadSize() throws IOException {
        var decoder = small("model_type", "\"qwen3\"").decoder();
        assertThat(decoder.queryKeyNorm()).isTrue();
        assertThat(decoder.headSize()).isEqualTo(128);
        assertThat(decoder.queryKeyValueBias()).isFalse();
        assertThat(small("model_type", "\"qwen3\"", "head_dim", "16").decoder().headSize())
                .isEqualTo(16);
    }

    @Test
    void givesMistralAWindowUnlessItIsNull() throws IOException {
        assertThat(small("model_type", "\"mistral\"").decoder().window(0)).hasValue(4096);
        assertThat(small("model_type", "\"mistral\"", "sliding_window", "null").decoder().window(0))
                .isEmpty();
        assertThat(small("model_type", "\"mistral\"", "sliding_window", "9").decoder().window(3))
                .hasValue(9);
        assertThat(small("model_type", "\"mistral\"", "head_dim", "null").decoder().headSize())
                .isEqualTo(8);
    }

    @Test
    void readsTheListOfLayerKinds() throws IOException {
        assertThat(
                        layerKinds(
                                        "full_attention",
                                        "full_attention",
                                        "sliding_attention",
                                        "sliding_attention")
                                .firstWindowLayer())
                .isEqualTo(2);
        assertThat(
                        layerKinds(
                                        "full_attention",
                                        "full_attention",
                                        "full_attention",
                                        "full_attention")
                                .slidingWindow())
                .isEmpty();
        var mixed =
                layerKinds(
                        "sliding_attention",
                        "full_attention",
                        "full_attention",
                        "sliding_attention");
        assertThat(IntStream.range(0, 4).mapToObj(mixed::window).map(OptionalInt::isPresent))
                .containsExactly(true, false, false, true);
    }

    @Test
    void readsTheTextPartOfAModelThatAlsoSees() throws IOException {
        Files.writeString(
                directory.resolve("config.json"),
                "{\"model_type\":\"llava\",\"text_config\":%s}".formatted(SMALL));
        assertThat(ModelConfig.read(new Checkpoint(directory)).decoder().hiddenSize())
                .isEqualTo(64);
    }

    private DecoderConfig layerKinds(String... kinds) throws IOException {
        var list =
                IntStream.range(0, kinds.length)
                        .mapToObj(i -> '"' + kinds[i] + '"')
                        .collect(Collectors.joining(","));
        return small(
                        "model_type",
                        "\"qwen3\"",
                        "use_sliding_window",
                        "true",
                        "sliding_window",
                        "8",
                        "layer_types",
                        "[" + list + "]")
                .decoder();
    }
}
