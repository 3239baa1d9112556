package dev.outrider.nn.target;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Reads `config.json` of the Llama family: llama, mistral, qwen2, qwen3, without scaled rotary frequencies.
record ConfigJson(Path file, JsonNode root) {
    private static final List<String> FAMILIES = List.of("llama", "mistral", "qwen2", "qwen3");

    static ConfigJson read(CheckpointDirectory directory) {
        return read(directory.config());
    }

    private static ConfigJson read(Path file) {
        try {
            return new ConfigJson(
                    file, JsonMapper.builder().build().readTree(Files.readString(file)));
        } catch (JsonProcessingException e) {
            throw new OutriderException(
                    ErrorCode.MODEL_CONFIG_INVALID,
                    "'%s' is not JSON: %s".formatted(file, e.getOriginalMessage()),
                    "Download the checkpoint again.",
                    e);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "'%s' cannot be read: %s".formatted(file, e.getMessage()),
                    "Check that the file is there and may be read.",
                    e);
        }
    }

    /// The architecture, with at most `longest` positions.
    DecoderConfig decoder(Optional<Integer> longest) {
        var family = root.path("model_type").asText("");
        if (!FAMILIES.contains(family)) {
            throw unsupported("model_type '%s'".formatted(family), "one of " + FAMILIES);
        }
        requirePlainRotation();
        int heads = integer("num_attention_heads");
        int hidden = integer("hidden_size");
        int layers = integer("num_hidden_layers");
        boolean bias = root.path("attention_bias").asBoolean(false);
        boolean qwen2 = family.equals("qwen2");
        int positions = integer("max_position_embeddings");
        return new DecoderConfig(
                integer("vocab_size"),
                hidden,
                integer("intermediate_size"),
                layers,
                heads,
                root.path("num_key_value_heads").asInt(heads),
                root.path("head_dim").asInt(hidden / heads),
                longest.map(limit -> Math.min(limit, positions)).orElse(positions),
                root.path("rms_norm_eps").asDouble(1e-6),
                root.path("tie_word_embeddings").asBoolean(false),
                bias || qwen2,
                bias && !qwen2,
                root.path("mlp_bias").asBoolean(false),
                family.equals("qwen3"),
                window(family),
                family.startsWith("qwen") ? root.path("max_window_layers").asInt(layers) : 0,
                theta());
    }

    /// Tokens that end a sequence, those of `generation_config.json` included.
    static Set<Integer> endOfSequence(CheckpointDirectory directory) {
        var ids = new HashSet<>(read(directory).endOfSequence());
        directory.generationConfig().ifPresent(file -> ids.addAll(read(file).endOfSequence()));
        return ids;
    }

    private Set<Integer> endOfSequence() {
        var ids = new HashSet<Integer>();
        var node = root.path("eos_token_id");
        if (node.isInt()) {
            ids.add(node.asInt());
        }
        node.forEach(id -> ids.add(id.asInt()));
        return ids;
    }

    private OptionalInt window(String family) {
        boolean used =
                !family.startsWith("qwen") || root.path("use_sliding_window").asBoolean(false);
        var size = root.path("sliding_window");
        if (family.equals("mistral") && size.isMissingNode()) {
            return OptionalInt.of(4096);
        }
        return used && size.isInt() ? OptionalInt.of(size.asInt()) : OptionalInt.empty();
    }

    private double theta() {
        var nested = root.path("rope_parameters").path("rope_theta");
        return nested.asDouble(root.path("rope_theta").asDouble(10000));
    }

    private void requirePlainRotation() {
        for (var key : List.of("rope_scaling", "rope_parameters")) {
            var scaling = root.path(key);
            var type = scaling.path("rope_type").asText(scaling.path("type").asText("default"));
            if (!type.equals("default")) {
                throw unsupported("%s of type '%s'".formatted(key, type), "none or 'default'");
            }
        }
        if (root.path("partial_rotary_factor").asDouble(1) != 1) {
            throw unsupported("partial_rotary_factor", "none or 1");
        }
    }

    private int integer(String key) {
        var value = root.path(key);
        if (!value.isInt() || value.asInt() < 1) {
            throw new OutriderException(
                    ErrorCode.MODEL_CONFIG_INVALID,
                    "'%s' has %s as %s; expected a positive integer"
                            .formatted(file, value.isMissingNode() ? "nothing" : value, key),
                    "Check that the file is the checkpoint's own config.json.");
        }
        return value.asInt();
    }

    private OutriderException unsupported(String what, String expected) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "'%s' has %s; expected %s".formatted(file, what, expected),
                "Use a checkpoint of the Llama family.");
    }
}
