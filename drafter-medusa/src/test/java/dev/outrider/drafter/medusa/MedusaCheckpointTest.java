package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.head.HeadFile;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every published layout is read; a tensor that does not fit is refused by its name.
class MedusaCheckpointTest {
    private static final int HIDDEN = 6;
    private static final int VOCABULARY = 10;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "'', model.safetensors",
        "'', medusa_lm_head.safetensors",
        "medusa_head., model.safetensors",
        "medusa_heads., model.safetensors"
    })
    void readsTheFirstVersion(String prefix, String file) {
        var tensors = medusa(prefix, 5, 1, true);
        if (!prefix.isEmpty()) {
            tensors.random("model.norm.weight", HIDDEN)
                    .random("lm_head.weight", VOCABULARY, HIDDEN);
        }
        HeadFile.config(
                tensors.write(folder, file), "{\"medusa_num_heads\": 2, \"medusa_num_layers\": 1}");

        try (var heads = open()) {
            assertThat(heads.sizes().heads()).isEqualTo(5);
            assertThat(heads.sizes().layers()).isEqualTo(1);
            assertThat(heads.sizes().projection()).isEqualTo(VectorHeads.Projection.PER_HEAD);
            assertThat(block(heads, 3, 0).numbers())
                    .isEqualTo(tensors.values(prefix + "3.0.linear.weight"));
            assertThat(block(heads, 4, 0).bias().orElseThrow())
                    .isEqualTo(tensors.values(prefix + "4.0.linear.bias"));
            assertThat(projection(heads, 2)).isEqualTo(tensors.values(prefix + "2.1.weight"));
            assertThat(parameters(heads, 3))
                    .isEqualTo(3 * (HIDDEN * HIDDEN + HIDDEN + VOCABULARY * HIDDEN));
        }
    }

    @Test
    void readsTheSecondVersionWhichBorrowsTheTargetsHead() {
        medusa("", 3, 2, false).write(folder);

        try (var heads = open()) {
            assertThat(heads.sizes().heads()).isEqualTo(3);
            assertThat(heads.sizes().layers()).isEqualTo(2);
            assertThat(heads.sizes().projection()).isEqualTo(VectorHeads.Projection.TARGET);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "medusa_heads."})
    void readsTheLayoutOfVllm(String prefix) {
        var tensors = vllm(prefix, true, VOCABULARY);
        for (int head = 0; head < 2; head++) {
            tensors.random(prefix + "lm_heads." + head + ".weight", VOCABULARY, HIDDEN);
        }
        HeadFile.config(
                tensors.write(folder),
                "{\"num_heads\": 2, \"num_hidden_layers\": 2, \"hidden_size\": 6}");

        try (var heads = open()) {
            assertThat(heads.sizes().heads()).isEqualTo(2);
            assertThat(heads.sizes().layers()).isEqualTo(2);
            assertThat(heads.sizes().projection()).isEqualTo(VectorHeads.Projection.PER_HEAD);
            assertThat(block(heads, 1, 1).numbers())
                    .isEqualTo(tensors.values(prefix + "blocks.1.layers.1.weight"));
            assertThat(projection(heads, 1))
                    .isEqualTo(tensors.values(prefix + "lm_heads.1.weight"));
        }
    }

    @Test
    void readsOneProjectionWithATokenMapAndBlocksWithoutBiases() {
        var tensors = vllm("", false, VOCABULARY).random("lm_head.weight", 4, HIDDEN);
        tensors.put(StoredTensor.ofLongs("token_map", new long[] {1, 9, 4, 0}, 4)).write(folder);

        try (var heads = open()) {
            assertThat(block(heads, 0, 0).bias()).isEmpty();
            assertThat(heads.sizes().projection()).isEqualTo(VectorHeads.Projection.ONE);
            assertThat(heads.tokenMap()).containsExactly(1, 9, 4, 0);
            assertThat(heads.sizes().rows()).isEqualTo(4);
        }
    }

    /// Keys of published repositories (Medusa for Vicuna, Zephyr and a self-distilled one; vLLM's; text-generation-inference's;
    /// SageMaker's), with the width of these tensors: the numbers of heads that they name are often not those of the file.
    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                {"base_model_name_or_path": "lmsys/vicuna-7b-v1.3", "medusa_num_heads": 2,
                 "medusa_num_layers": 1, "transformers_version": "4.31.0"}\
                """,
                """
                {"_name_or_path": "zephyr-7b-beta", "architectures": ["MistralForCausalLM"],
                 "base_model_name_or_path": "HuggingFaceH4/zephyr-7b-beta", "bos_token_id": 1,
                 "hidden_size": 6, "intermediate_size": 14336, "max_position_embeddings": 32768,
                 "medusa_num_heads": 5, "medusa_num_layers": 1, "model_type": "mistral",
                 "num_hidden_layers": 32, "rope_theta": 10000.0, "sliding_window": 4096,
                 "version": "2", "vocab_size": 32000}\
                """,
                """
                {"architectures": ["LlamaForCausalLM"], "hidden_size": 6, "model_type": "medusa",
                 "medusa_num_heads": 3, "medusa_num_layers": 1, "version": "2"}\
                """,
                """
                {"medusa_num_heads": 5, "medusa_num_layers": 1, "vocab_size": 32000,
                 "base_model_name_or_path": "/opt/ml/model/base-model/", "version": "2"}\
                """
            })
    void readsTheKeysOfPublishedRepositories(String config) {
        for (boolean projections : new boolean[] {true, false}) {
            HeadFile.config(medusa("", 5, 1, projections).write(folder), config);

            try (var heads = open()) {
                assertThat(heads.sizes().heads()).isEqualTo(5);
            }
        }
    }

    /// vLLM renames Medusa's keys, so its repositories have either names.
    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                {"architectures": ["MedusaModel"], "hidden_size": 6, "max_paths": 64,
                 "max_seq_len": 1048576, "model_type": "medusa", "num_heads": 2,
                 "num_hidden_layers": 2, "topk": 10, "torch_dtype": "float16",
                 "truncated_vocab_size": 4, "vocab_size": 10}\
                """,
                """
                {"architectures": ["MedusaModel"], "hidden_size": 6, "medusa_fc_bias": true,
                 "medusa_num_heads": 2, "medusa_num_layers": 2, "original_lm_head": true,
                 "model_type": "medusa", "truncated_vocab_size": 4, "vocab_size": 10}\
                """
            })
    void readsTheKeysOfRepositoriesForVllm(String config) {
        var tensors = vllm("", true, VOCABULARY).random("lm_head.weight", 4, HIDDEN);
        tensors.put(StoredTensor.ofLongs("token_map", new long[] {1, 9, 4, 0}, 4));
        HeadFile.config(tensors.write(folder), config);

        try (var heads = open()) {
            assertThat(heads.sizes().heads()).isEqualTo(2);
            assertThat(heads.sizes().rows()).isEqualTo(4);
        }
    }

    @Test
    void aMissingBlockIsNamed() {
        medusa("", 3, 1, true).remove("1.0.linear.weight").write(folder);

        assertThatThrownBy(this::open)
                .hasMessageStartingWith(
                        "CHECKPOINT_INCOMPLETE: there is no tensor '1.0.linear.weight' in '%s'; the nearest names are: "
                                .formatted(folder.resolve("model.safetensors")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.0.linear.bias", "1.1.weight"})
    void aTensorThatOnlyOneHeadLacksIsNamed(String name) {
        medusa("", 3, 1, true).remove(name).write(folder);

        assertThatThrownBy(this::open)
                .hasMessageStartingWith(
                        "CHECKPOINT_INCOMPLETE: there is no tensor '" + name + "' in '");
    }

    @Test
    void aWrongShapeIsNamed() {
        medusa("", 2, 1, true).random("1.0.linear.weight", HIDDEN, HIDDEN + 1).write(folder);

        assertThatThrownBy(this::open)
                .hasMessageStartingWith(
                        "CHECKPOINT_SHAPE_MISMATCH: tensor '1.0.linear.weight' of '%s' has shape [6, 7]; expected [6, 6]\n"
                                .formatted(folder.resolve("model.safetensors")));
    }

    @Test
    void aProjectionOnItsSideIsAWrongShape() {
        medusa("", 1, 1, true).random("0.1.weight", HIDDEN, VOCABULARY).write(folder);

        assertThatThrownBy(this::open)
                .hasMessageStartingWith("CHECKPOINT_SHAPE_MISMATCH: tensor '0.1.weight' of '");
    }

    @Test
    void anotherVocabularyIsSaid() {
        medusa("", 1, 1, true).random("0.1.weight", 12, HIDDEN).write(folder);

        assertThatThrownBy(this::open)
                .hasMessage(
                        """
                        DRAFTER_VOCABULARY_MISMATCH: '0.1.weight' of '%s' has 12 rows; expected 10, one for each \
                        logit of the target
                          Choose heads that were trained for this target.\
                        """
                                .formatted(folder.resolve("model.safetensors")));
    }

    @ParameterizedTest
    @CsvSource({"'1,9,4', 3", "'1,9,9,0', 4", "'1,10,4,0', 4"})
    void aTokenMapThatDoesNotFitIsRefused(String tokens, int size) {
        var map = Arrays.stream(tokens.split(",")).mapToLong(Long::parseLong).toArray();
        vllm("", false, VOCABULARY)
                .random("lm_head.weight", 4, HIDDEN)
                .put(StoredTensor.ofLongs("token_map", map, size))
                .write(folder);

        assertThatThrownBy(this::open).hasMessageStartingWith("DRAFTER_VOCABULARY_MISMATCH: '");
    }

    @Test
    void aTensorNobodyReadsIsRefused() {
        medusa("", 1, 1, true).random("0.0.linear.scale", HIDDEN).write(folder);

        assertThatThrownBy(this::open)
                .hasMessageStartingWith(
                        "CHECKPOINT_UNSUPPORTED: '%s' has tensors that 1 heads of 1 blocks do not have: 0.0.linear.scale\n"
                                .formatted(folder.resolve("model.safetensors")));
    }

    @Test
    void aCheckpointWithoutHeadsSaysWhatHeadsLookLike() {
        new HeadFile(1).random("model.norm.weight", HIDDEN).write(folder);

        assertThatThrownBy(this::open)
                .hasMessage(
                        """
                        CHECKPOINT_UNSUPPORTED: '%s' holds no Medusa heads: there is no tensor like 0.0.linear.weight, \
                        medusa_head.0.0.linear.weight or blocks.0.layers.0.weight; the first are [model.norm.weight]
                          Use heads in the layout of Medusa (versions 1 and 2, or a full model) or vLLM.\
                        """
                                .formatted(folder.resolve("model.safetensors")));
    }

    @Test
    void aHeadNumberBeyondReasonAllocatesNothing() {
        medusa("", 1, 1, true).random("99999999999.0.linear.weight", HIDDEN, HIDDEN).write(folder);

        assertThatThrownBy(this::open)
                .hasMessageContaining(
                        "names 1000000 heads of 1 blocks; expected at most 64 of each");
    }

    @ParameterizedTest
    @CsvSource({
        "hidden_size, 8, CHECKPOINT_SHAPE_MISMATCH",
        "medusa_num_layers, 2, MODEL_CONFIG_INVALID"
    })
    void aConfigurationOfOtherHeadsIsRefused(String key, int value, String code) {
        HeadFile.config(medusa("", 2, 1, true).write(folder), "{\"%s\": %d}".formatted(key, value));

        assertThatThrownBy(this::open)
                .hasMessageStartingWith(
                        "%s: '%s' says %s %d"
                                .formatted(code, folder.resolve("config.json"), key, value));
    }

    @Test
    void aPickleIsRefusedWithTheWayToConvertIt() throws IOException {
        Files.write(folder.resolve("medusa_lm_head.pt"), new byte[] {1});

        assertThatThrownBy(this::open)
                .hasMessage(
                        """
                        PICKLE_REFUSED: '%s' has its heads only as a pickle, 'medusa_lm_head.pt', and loading a pickle \
                        can run any code; expected medusa_lm_head.safetensors
                          Convert it where you trust it: in Python, heads = torch.load('medusa_lm_head.pt', \
                        weights_only=True); safetensors.torch.save_file({k: v.clone().contiguous() for k, v in \
                        heads.items()}, 'medusa_lm_head.safetensors').\
                        """
                                .formatted(folder));
    }

    private static LinearWeights block(MedusaCheckpoint heads, int head, int layer) {
        return heads.matrices().matrix(heads.names().block(head, layer), HIDDEN, HIDDEN);
    }

    private static float[] projection(MedusaCheckpoint heads, int head) {
        var name = heads.names().projection(head, heads.sizes().layers());
        return heads.matrices().matrix(name, VOCABULARY, HIDDEN).numbers();
    }

    private static long parameters(MedusaCheckpoint heads, int count) {
        try (var loaded =
                heads.load(
                        count,
                        new HeadMatrices(heads.matrices(), Precision.F32),
                        Optional.empty())) {
            return loaded.parameters();
        }
    }

    private MedusaCheckpoint open() {
        return MedusaCheckpoint.open(folder, HIDDEN, VOCABULARY);
    }

    private static HeadFile medusa(String prefix, int heads, int layers, boolean projections) {
        var tensors = new HeadFile(4);
        for (int head = 0; head < heads; head++) {
            for (int layer = 0; layer < layers; layer++) {
                var block = prefix + head + "." + layer + ".linear";
                tensors.random(block + ".weight", HIDDEN, HIDDEN).random(block + ".bias", HIDDEN);
            }
            if (projections) {
                tensors.random(prefix + head + "." + layers + ".weight", VOCABULARY, HIDDEN);
            }
        }
        return tensors;
    }

    /// Two heads with two blocks each.
    private static HeadFile vllm(String prefix, boolean biased, int vocabulary) {
        var tensors = new HeadFile(vocabulary);
        for (int head = 0; head < 2; head++) {
            for (int layer = 0; layer < 2; layer++) {
                var block = prefix + "blocks." + head + ".layers." + layer;
                tensors.random(block + ".weight", HIDDEN, HIDDEN);
                if (biased) {
                    tensors.random(block + ".bias", HIDDEN);
                }
            }
        }
        return tensors;
    }
}
