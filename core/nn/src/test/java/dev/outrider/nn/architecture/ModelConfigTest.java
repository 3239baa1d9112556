package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.SharedFiles;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeScaling;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelConfigTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String LLAMA31 =
            """
            {"architectures":["LlamaForCausalLM"],"attention_bias":false,"bos_token_id":128000,
             "eos_token_id":[128001,128008,128009],"hidden_act":"silu","hidden_size":4096,"intermediate_size":14336,
             "max_position_embeddings":131072,"mlp_bias":false,"model_type":"llama","num_attention_heads":32,
             "num_hidden_layers":32,"num_key_value_heads":8,"rms_norm_eps":1e-05,
             "rope_scaling":{"factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
               "original_max_position_embeddings":8192,"rope_type":"llama3"},
             "rope_theta":500000.0,"tie_word_embeddings":false,"torch_dtype":"bfloat16","vocab_size":128256}
            """;
    private static final String SMALL =
            """
            {"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,
             "num_attention_heads":8,"vocab_size":100}
            """;

    @TempDir Path directory;

    @Test
    void readsAKnownModel() {
        var config =
                ModelConfig.read(
                        new CheckpointDirectory(SharedFiles.orSkip("checkpoints/stories260K")));
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
        assertThat(
                        refusal(
                                "model_type",
                                "\"qwen3\"",
                                "use_sliding_window",
                                "true",
                                "sliding_window",
                                "8",
                                "layer_types",
                                "[\"sliding_attention\",\"full_attention\",\"full_attention\",\"full_attention\"]"))
                .isEqualTo(
                        "CHECKPOINT_UNSUPPORTED: '%s' has layer_types [sliding_attention, full_attention, full_attention, full_attention]; Outrider runs windows in all layers from some layer on");
    }

    @Test
    void readsAllSpellingsOfRotaryScaling() throws IOException {
        var yarn = "\"factor\":4.0,\"original_max_position_embeddings\":32768}";
        var expected =
                new RopeScaling.Yarn(
                        4, 32, 1, 32768, RopeScaling.Yarn.defaultAttentionFactor(4), true);
        for (var decoder :
                List.of(
                        small(
                                "rope_theta",
                                "1000000",
                                "rope_scaling",
                                "{\"rope_type\":\"yarn\"," + yarn),
                        small(
                                "rope_theta",
                                "1000000.0",
                                "rope_scaling",
                                "{\"type\":\"yarn\"," + yarn),
                        small(
                                "rope_parameters",
                                "{\"rope_theta\":1e6,\"rope_type\":\"yarn\"," + yarn),
                        small(
                                "rope_parameters",
                                "{\"full_attention\":{\"rope_theta\":1e6,\"rope_type\":\"yarn\","
                                        + yarn
                                        + "}"))) {
            assertThat(decoder.decoder().ropeTheta()).isEqualTo(1e6);
            assertThat(decoder.decoder().ropeScaling()).isEqualTo(expected);
        }
    }

    @Test
    void readsUnscaledAndLinearRotation() throws IOException {
        var plain = small("rope_parameters", "{\"rope_type\":\"default\",\"rope_theta\":5000.0}");
        assertThat(plain.decoder().ropeScaling()).isEqualTo(new RopeScaling.Unscaled());
        assertThat(plain.decoder().ropeTheta()).isEqualTo(5000);
        assertThat(small("rope_scaling", "null").decoder().ropeScaling())
                .isEqualTo(new RopeScaling.Unscaled());
        assertThat(
                        small("rope_scaling", "{\"type\":\"linear\",\"factor\":2}")
                                .decoder()
                                .ropeScaling())
                .isEqualTo(new RopeScaling.Linear(2));
    }

    @Test
    void readsTheDetailsOfYarn() throws IOException {
        var given =
                small(
                        "max_position_embeddings",
                        "4096",
                        "rope_scaling",
                        "{\"type\":\"yarn\",\"factor\":40,\"beta_fast\":16,\"beta_slow\":2,\"mscale\":0.707,\"mscale_all_dim\":1.0,\"truncate\":false}");
        assertThat(given.decoder().ropeScaling())
                .isEqualTo(
                        new RopeScaling.Yarn(
                                40,
                                16,
                                2,
                                4096,
                                RopeScaling.Yarn.attentionFactor(40, 0.707)
                                        / RopeScaling.Yarn.attentionFactor(40, 1),
                                false));
        var inferred =
                small(
                        "max_position_embeddings",
                        "8192",
                        "rope_scaling",
                        "{\"type\":\"yarn\",\"factor\":null,\"original_max_position_embeddings\":2048,\"attention_factor\":1.5}");
        assertThat(inferred.decoder().ropeScaling())
                .isEqualTo(new RopeScaling.Yarn(4, 32, 1, 2048, 1.5, true));
    }

    @Test
    void refusesRotationItDoesNotHave() throws IOException {
        assertThat(refusal("rope_scaling", "{\"type\":\"dynamic\",\"factor\":2.0}"))
                .isEqualTo(
                        "CHECKPOINT_UNSUPPORTED: '%s' has rope_scaling.rope_type 'dynamic'; Outrider runs default, linear, llama3 and yarn");
        assertThat(refusal("rope_parameters", "{\"rope_type\":\"longrope\"}"))
                .contains("has rope_parameters.rope_type 'longrope';");
        assertThat(refusal("partial_rotary_factor", "0.5"))
                .contains("has partial_rotary_factor 0.5; Outrider runs rotation of whole heads");
        assertThat(
                        refusal(
                                "rope_parameters",
                                "{\"rope_type\":\"default\",\"partial_rotary_factor\":0.25}"))
                .contains("has rope_parameters.partial_rotary_factor 0.25;");
        assertThat(
                        refusal(
                                "rope_parameters",
                                "{\"full_attention\":{\"rope_theta\":1e6},\"sliding_attention\":{\"rope_theta\":1e4}}"))
                .contains(
                        "has rope_parameters that differ between layers; Outrider runs the same in all layers");
    }

    @Test
    void refusesAnUnknownModelAndListsTheKnownOnes() throws IOException {
        Files.writeString(directory.resolve("config.json"), "{\"model_type\":\"gpt2\"}");
        assertThatThrownBy(() -> ModelConfig.read(new CheckpointDirectory(directory)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CHECKPOINT_UNSUPPORTED: '%s' has model_type 'gpt2'; Outrider runs llama, mistral, qwen2, qwen3, mimo
                          Use another checkpoint, or add the missing part to core/nn.\
                        """
                                .formatted(directory.resolve("config.json")));
        assertThat(refusal("model_type", "null"))
                .contains("has model_type '(none)'; Outrider runs");
    }

    @Test
    void refusesPartsTheNetworkDoesNotHave() throws IOException {
        assertThat(refusal("num_local_experts", "8"))
                .contains(
                        "has a mixture of experts (num_local_experts); Outrider runs dense decoders");
        assertThat(refusal("n_routed_experts", "64"))
                .contains("has a mixture of experts (n_routed_experts);");
        assertThat(refusal("kv_lora_rank", "512")).contains("has latent attention (kv_lora_rank);");
        assertThat(refusal("quantization_config", "{\"bits\":4}"))
                .contains("has quantised weights (quantization_config);");
        assertThat(refusal("hidden_act", "\"gelu\""))
                .contains("has hidden_act 'gelu'; Outrider runs silu");
        assertThat(small("num_local_experts", "0", "kv_lora_rank", "null").decoder().layers())
                .isEqualTo(4);
    }

    @Test
    void readsTheTextPartOfAModelThatAlsoSees() throws IOException {
        Files.writeString(
                directory.resolve("config.json"),
                "{\"model_type\":\"llava\",\"text_config\":%s}".formatted(SMALL));
        assertThat(ModelConfig.read(new CheckpointDirectory(directory)).decoder().hiddenSize())
                .isEqualTo(64);
    }

    @Test
    void saysWhichValueIsWrong() throws IOException {
        assertThat(refusal("hidden_size", "null"))
                .isEqualTo("MODEL_CONFIG_INVALID: '%s' has no hidden_size");
        assertThat(refusal("hidden_size", "-1"))
                .isEqualTo(
                        "MODEL_CONFIG_INVALID: '%s' has hidden_size = -1; expected a positive integer");
        assertThat(refusal("hidden_size", "\"64\""))
                .contains("has hidden_size = \"64\"; expected a positive integer");
        assertThat(refusal("hidden_size", "4294967296")).contains("expected a positive integer");
        assertThat(refusal("rms_norm_eps", "\"small\""))
                .contains("has rms_norm_eps = \"small\"; expected a positive number");
        assertThat(refusal("tie_word_embeddings", "1"))
                .contains("has tie_word_embeddings = 1; expected true or false");
        assertThat(refusal("eos_token_id", "[1,\"2\"]"))
                .contains("expected a token id or a list of token ids");
        assertThat(refusal("rope_scaling", "\"yarn\""))
                .contains("has rope_scaling = \"yarn\"; expected an object");
        assertThat(refusal("rope_scaling", "{\"type\":\"linear\"}"))
                .contains("has no rope_scaling.factor");
        assertThat(refusal("hidden_size", "65"))
                .contains("has no head_dim, and hidden_size 65 is not divisible by 8 heads");
        assertThat(refusal("num_key_value_heads", "3"))
                .contains("describes no decoder: 8 heads cannot share 3 key-value heads");
        assertThat(
                        refusal(
                                "rope_scaling",
                                "{\"type\":\"llama3\",\"factor\":8,\"low_freq_factor\":4,\"high_freq_factor\":1,\"original_max_position_embeddings\":8}"))
                .contains(
                        "has an impossible rope_scaling: high_freq_factor 1.0 is not above low_freq_factor 4.0");
    }

    @Test
    void refusesAFileThatIsNoConfiguration() throws IOException {
        Files.writeString(directory.resolve("config.json"), "[]");
        assertThatThrownBy(() -> ModelConfig.read(new CheckpointDirectory(directory)))
                .hasMessageContaining("config.json' is not a JSON object\n");
        Files.writeString(directory.resolve("config.json"), "{");
        assertThatThrownBy(() -> ModelConfig.read(new CheckpointDirectory(directory)))
                .hasMessageContaining("config.json' is not valid JSON: ");
    }

    @Test
    void meetsRandomDamageWithItsOwnExceptionOnly() throws IOException {
        var original = LLAMA31.getBytes(StandardCharsets.UTF_8);
        var random = new Random(23);
        for (int round = 0; round < 1000; round++) {
            var damaged = original.clone();
            for (int flip = 0; flip <= round % 3; flip++) {
                damaged[random.nextInt(damaged.length)] = (byte) (32 + random.nextInt(96));
            }
            Files.write(directory.resolve("config.json"), damaged);
            try {
                assertThat(ModelConfig.read(new CheckpointDirectory(directory)).decoder().layers())
                        .isPositive();
            } catch (OutriderException e) {
                assertThat(e.code())
                        .as("replay with round %d of seed 23", round)
                        .isIn(ErrorCode.MODEL_CONFIG_INVALID, ErrorCode.CHECKPOINT_UNSUPPORTED);
            }
        }
    }

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
                        "no model type of [llama, mistral, qwen2, qwen3, mimo] has the biases, norms and windows of ");
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

    /// The small configuration with some values set, each given as JSON.
    private ModelConfig small(String... changes) throws IOException {
        var root = (ObjectNode) MAPPER.readTree(SMALL);
        for (int i = 0; i < changes.length; i += 2) {
            root.set(changes[i], MAPPER.readTree(changes[i + 1]));
        }
        return read(root.toString());
    }

    private ModelConfig read(String json) throws IOException {
        Files.writeString(directory.resolve("config.json"), json);
        return ModelConfig.read(new CheckpointDirectory(directory));
    }

    /// The first line of the message with `%s` for the file.
    private String refusal(String... changes) throws IOException {
        try {
            return "accepted as " + small(changes);
        } catch (OutriderException e) {
            return Objects.requireNonNull(e.getMessage())
                    .lines()
                    .findFirst()
                    .orElseThrow()
                    .replace(directory.resolve("config.json").toString(), "%s");
        }
    }
}
