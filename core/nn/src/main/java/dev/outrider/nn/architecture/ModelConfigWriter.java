package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Require;
import dev.outrider.nn.architecture.T5Reader.T5Writer;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.RopeScaling;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;

/// Writes a `config.json` that Hugging Face libraries and [ModelConfig#read] understand.
public final class ModelConfigWriter {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ModelConfigWriter() {}

    /// Writes `config.json` into a directory, atomically.
    ///
    /// @throws OutriderException `IO_FAILED`
    public static void write(ModelConfig config, Path directory) {
        var file = directory.resolve("config.json");
        FailureReason.writing(
                "the checkpoint", directory, () -> AtomicFile.write(file, toJson(config)));
    }

    /// Returns the content of `config.json`.
    ///
    /// @throws IllegalArgumentException if the family cannot express the stacks
    public static String toJson(ModelConfig config) {
        var root = MAPPER.createObjectNode();
        root.putArray("architectures").add(config.family().className());
        root.put("model_type", config.family().modelType());
        root.put("vocab_size", config.decoder().vocabularySize());
        if (config.encoder().isPresent()) {
            T5Writer.write(config, config.encoder().get(), root);
        } else {
            putDecoder(root, config);
        }
        putIds(root, "bos_token_id", config.beginOfSequence());
        putIds(root, "eos_token_id", config.endOfSequence());
        config.storage()
                .ifPresent(type -> root.put("torch_dtype", ModelConfigReader.storageName(type)));
        return root.toPrettyString() + "\n";
    }

    private static void putDecoder(ObjectNode root, ModelConfig config) {
        var decoder = config.decoder();
        root.put("hidden_size", decoder.hiddenSize());
        root.put("intermediate_size", decoder.intermediateSize());
        root.put("num_hidden_layers", decoder.layers());
        root.put("num_attention_heads", decoder.heads());
        root.put("num_key_value_heads", decoder.keyValueHeads());
        root.put("head_dim", decoder.headSize());
        root.put("max_position_embeddings", decoder.maxPositions());
        root.put("rms_norm_eps", decoder.normEpsilon());
        root.put("hidden_act", "silu");
        root.put("tie_word_embeddings", decoder.tiedHead());
        putFamily(root, config.family(), decoder);
        root.put("rope_theta", decoder.ropeTheta());
        putScaling(root, decoder.ropeScaling());
    }

    /// Some families express the same architecture under different names.
    private static boolean expresses(Family family, DecoderConfig decoder) {
        if (family == Family.MIXTRAL) {
            return mixtral(decoder);
        }
        var plainest = Family.of(decoder);
        return switch (family) {
            case LLAMA, QWEN2, QWEN3 -> plainest == family;
            case MISTRAL -> plainest == family || plainest == Family.LLAMA;
            case MIMO -> plainest == Family.QWEN2;
            default -> false;
        };
    }

    /// Returns whether the decoder is Llama's with Mixtral's experts.
    private static boolean mixtral(DecoderConfig decoder) {
        var experts =
                decoder.form()
                        .feedForward()
                        .experts()
                        .filter(each ->
                                each.equals(
                                        new Experts(
                                                each.count(),
                                                each.chosen(),
                                                decoder.intermediateSize())));
        var dense = decoder.toBuilder().form(BlockForm.llama()).build();
        return experts.isPresent()
                && decoder.form().equals(BlockForm.mixture(experts.get()))
                && Family.of(dense) == Family.LLAMA
                && !decoder.queryKeyValueBias();
    }

    private static void putFamily(ObjectNode root, Family family, DecoderConfig decoder) {
        Require.that(
                expresses(family, decoder),
                "model type %s cannot express %s",
                family.modelType(),
                decoder);
        switch (family) {
            case LLAMA -> {
                root.put("attention_bias", decoder.queryKeyValueBias());
                root.put("mlp_bias", decoder.feedForwardBias());
            }
            case MISTRAL -> putWindow(root, decoder);
            case MIXTRAL -> {
                var experts = decoder.form().feedForward().experts().orElseThrow();
                root.put("num_local_experts", experts.count());
                root.put("num_experts_per_tok", experts.chosen());
                putWindow(root, decoder);
            }
            case QWEN2 -> putQwenWindow(root, decoder);
            case MIMO -> {
                root.put("attention_bias", true);
                putQwenWindow(root, decoder);
            }
            case QWEN3 -> {
                root.put("attention_bias", decoder.queryKeyValueBias());
                putQwenWindow(root, decoder);
            }
            default -> throw new AssertionError(family);
        }
    }

    private static void putQwenWindow(ObjectNode root, DecoderConfig decoder) {
        root.put("use_sliding_window", decoder.slidingWindow().isPresent());
        root.put("max_window_layers", decoder.firstWindowLayer());
        putWindow(root, decoder);
    }

    private static void putWindow(ObjectNode root, DecoderConfig decoder) {
        if (decoder.slidingWindow().isPresent()) {
            root.put("sliding_window", decoder.slidingWindow().getAsInt());
        } else {
            root.putNull("sliding_window");
        }
    }

    private static void putScaling(ObjectNode root, RopeScaling scaling) {
        switch (scaling) {
            case RopeScaling.Unscaled() -> {}
            case RopeScaling.Dynamic(double factor, _) ->
                    root.putObject("rope_scaling")
                            .put("rope_type", "dynamic")
                            .put("factor", factor);
            case RopeScaling.Linear(double factor) ->
                    root.putObject("rope_scaling").put("rope_type", "linear").put("factor", factor);
            case RopeScaling.Llama3 llama3 ->
                    root.putObject("rope_scaling")
                            .put("rope_type", "llama3")
                            .put("factor", llama3.factor())
                            .put("low_freq_factor", llama3.lowFrequencyFactor())
                            .put("high_freq_factor", llama3.highFrequencyFactor())
                            .put("original_max_position_embeddings", llama3.positions());
            case RopeScaling.Yarn yarn ->
                    root.putObject("rope_scaling")
                            .put("rope_type", "yarn")
                            .put("factor", yarn.factor())
                            .put("beta_fast", yarn.betaFast())
                            .put("beta_slow", yarn.betaSlow())
                            .put("original_max_position_embeddings", yarn.positions())
                            .put("attention_factor", yarn.attentionFactor())
                            .put("truncate", yarn.truncate());
            case RopeScaling.LongRope rope ->
                    throw new IllegalArgumentException(
                            "no model type that Outrider writes has " + rope);
        }
    }

    /// One id as an integer, several as a list, none as null.
    private static void putIds(ObjectNode root, String key, List<Integer> ids) {
        if (ids.isEmpty()) {
            root.putNull(key);
        } else if (ids.size() == 1) {
            root.put(key, ids.getFirst());
        } else {
            var list = root.putArray(key);
            ids.forEach(list::add);
        }
    }
}
