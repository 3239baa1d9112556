package dev.outrider.drafter.block;

import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Checkpoints for [TinyTarget] in the published layouts, tensor by tensor. Tests change the tensors and the configuration before they
/// write them.
final class Files {
    static final int DRAFT_VOCABULARY = 10;
    static final int BLOCK = 5;
    static final int MASK = 39;
    static final int RANK = 6;
    static final int DRAFT_LAYERS = 2;

    private static final int H = TinyTarget.HIDDEN;
    private static final int INNER = 48;
    private static final int KEYS = 16;

    final Map<String, StoredTensor> tensors = new TreeMap<>();
    final Map<String, String> config = new TreeMap<>();
    final Map<String, String> section = new TreeMap<>();
    private final Random random = new Random(11);

    private Files() {
        config.put("model_type", "\"qwen3\"");
        config.put("hidden_size", "32");
        config.put("intermediate_size", "48");
        config.put("num_hidden_layers", "" + DRAFT_LAYERS);
        config.put("num_attention_heads", "4");
        config.put("num_key_value_heads", "2");
        config.put("head_dim", "8");
        config.put("vocab_size", "40");
        config.put("max_position_embeddings", "64");
        config.put("rms_norm_eps", "1e-5");
        matrix("fc.weight", H, 3 * H);
        vector("hidden_norm.weight", H, 1);
        vector("norm.weight", H, 1);
        for (int layer = 0; layer < DRAFT_LAYERS; layer++) {
            layer("layers.%d.".formatted(layer));
        }
    }

    /// DFlash as its authors and SpecForge publish it: embedding and head are those of the target.
    static Files nested() {
        var files = new Files();
        files.config.put("architectures", "[\"DFlashDraftModel\"]");
        files.config.put("block_size", "" + BLOCK);
        files.config.put("num_target_layers", "" + TinyTarget.DEEP.layers());
        files.section.put("mask_token_id", "" + MASK);
        files.section.put("target_layer_ids", "[1, 3, 4]");
        return files;
    }

    /// DSpark as SpecForge publishes it.
    static Files nestedSpark(HeadForm.Type type) {
        var files = nested();
        files.config.put("architectures", "[\"DSparkDraftModel\"]");
        files.section.put("projector_type", "\"dspark\"");
        files.section.put("markov_rank", "" + RANK);
        files.section.put("markov_head_type", "\"%s\"".formatted(name(type)));
        files.section.put("enable_confidence_head", "true");
        files.section.put("confidence_head_with_markov", "true");
        files.heads("", type, TinyTarget.VOCABULARY, true);
        return files;
    }

    /// DSpark as its authors publish it: it has its own embedding and head, and the whole vocabulary.
    static Files deepSpec(HeadForm.Type type) {
        var files = new Files();
        files.config.put("architectures", "[\"Qwen3DSparkModel\"]");
        files.config.put("block_size", "" + BLOCK);
        files.config.put("mask_token_id", "" + MASK);
        files.config.put("target_layer_ids", "[-1, 2, 5]");
        files.config.put("markov_rank", "" + RANK);
        files.config.put("markov_head_type", "\"%s\"".formatted(name(type)));
        files.config.put("enable_confidence_head", "true");
        files.config.put("confidence_head_with_markov", "false");
        files.matrix("embed_tokens.weight", TinyTarget.VOCABULARY, H);
        files.matrix("lm_head.weight", TinyTarget.VOCABULARY, H);
        files.heads("", type, TinyTarget.VOCABULARY, false);
        return files;
    }

    /// DFlash as speculators publishes it: a nested configuration of the layers, and a draft vocabulary with both maps.
    static Files speculators() {
        var files = new Files();
        var layers = json(files.config);
        files.config.clear();
        files.config.put("speculators_model_type", "\"dflash\"");
        files.config.put("architectures", "[\"DFlashSpeculator\"]");
        files.config.put("transformer_layer_config", layers);
        files.config.put("draft_vocab_size", "" + DRAFT_VOCABULARY);
        files.config.put("block_size", "" + BLOCK);
        files.config.put("mask_token_id", "" + MASK);
        files.config.put("aux_hidden_state_layer_ids", "[2, 4, 5]");
        files.matrix("lm_head.weight", DRAFT_VOCABULARY, H);
        files.maps(0, 1, 2, 5, 9, 11, 20, 30, 38, 39);
        return files;
    }

    /// DSpark as speculators publishes it.
    static Files speculatorsSpark(HeadForm.Type type) {
        var files = speculators();
        files.config.put("speculators_model_type", "\"dspark\"");
        files.config.put("markov_rank", "" + RANK);
        files.config.put("markov_head_type", "\"%s\"".formatted(name(type)));
        files.heads("", type, DRAFT_VOCABULARY, true);
        return files;
    }

    /// The heads of earlier files of SpecForge.
    Files olderNames() {
        var own = tensors.values().stream().filter(each -> each.name().contains("_head.")).toList();
        for (var tensor : own) {
            var name = tensor.name();
            tensors.remove(name);
            put(
                    new StoredTensor(
                            "logit_head." + name, tensor.type(), tensor.shape(), tensor.data()));
        }
        return this;
    }

    void maps(int... tokens) {
        var offsets = new long[tokens.length];
        var members = new boolean[TinyTarget.VOCABULARY];
        for (int id = 0; id < tokens.length; id++) {
            offsets[id] = tokens[id] - id;
            members[tokens[id]] = true;
        }
        put(StoredTensor.ofLongs(VocabularyMaps.OFFSETS, offsets, offsets.length));
        put(StoredTensor.ofBooleans(VocabularyMaps.MEMBERS, members, members.length));
    }

    void matrix(String name, int rows, int columns) {
        var values = new float[rows * columns];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) (random.nextGaussian() / Math.sqrt(columns));
        }
        put(StoredTensor.ofFloats(name, values, rows, columns));
    }

    void vector(String name, int size, float centre) {
        var values = new float[size];
        for (int index = 0; index < size; index++) {
            values[index] = centre + 0.1f * (float) random.nextGaussian();
        }
        put(StoredTensor.ofFloats(name, values, size));
    }

    void put(StoredTensor tensor) {
        tensors.put(tensor.name(), tensor);
    }

    Path write(Path directory) {
        var whole = new TreeMap<>(config);
        if (!section.isEmpty()) {
            whole.put("dflash_config", json(section));
        }
        try {
            java.nio.file.Files.createDirectories(directory);
            java.nio.file.Files.writeString(directory.resolve("config.json"), json(whole));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SafetensorsWriter.write(directory.resolve("model.safetensors"), tensors.values(), Map.of());
        return directory;
    }

    private static String json(Map<String, String> values) {
        var entries =
                values.entrySet().stream()
                        .map(entry -> "\"%s\": %s".formatted(entry.getKey(), entry.getValue()))
                        .toList();
        return "{" + String.join(", ", entries) + "}";
    }

    private static String name(HeadForm.Type type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private void heads(String prefix, HeadForm.Type type, int draft, boolean reads) {
        matrix(prefix + "markov_head.markov_w1.weight", TinyTarget.VOCABULARY, RANK);
        matrix(prefix + "markov_head.markov_w2.weight", draft, RANK);
        switch (type) {
            case VANILLA -> {}
            case GATED -> {
                matrix(prefix + "markov_head.gate_proj.weight", RANK, H + RANK);
                vector(prefix + "markov_head.gate_proj.bias", RANK, 0);
            }
            case RNN -> {
                matrix(prefix + "markov_head.joint_proj.weight", 3 * RANK, 2 * RANK + H);
                vector(prefix + "markov_head.joint_proj.bias", 3 * RANK, 0);
            }
        }
        matrix(prefix + "confidence_head.proj.weight", 1, reads ? H + RANK : H);
        vector(prefix + "confidence_head.proj.bias", 1, 0);
    }

    private void layer(String prefix) {
        matrix(prefix + "self_attn.q_proj.weight", H, H);
        matrix(prefix + "self_attn.k_proj.weight", KEYS, H);
        matrix(prefix + "self_attn.v_proj.weight", KEYS, H);
        matrix(prefix + "self_attn.o_proj.weight", H, H);
        vector(prefix + "self_attn.q_norm.weight", 8, 1);
        vector(prefix + "self_attn.k_norm.weight", 8, 1);
        matrix(prefix + "mlp.gate_proj.weight", INNER, H);
        matrix(prefix + "mlp.up_proj.weight", INNER, H);
        matrix(prefix + "mlp.down_proj.weight", H, INNER);
        vector(prefix + "input_layernorm.weight", H, 1);
        vector(prefix + "post_attention_layernorm.weight", H, 1);
    }
}
