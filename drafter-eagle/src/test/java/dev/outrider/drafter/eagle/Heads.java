package dev.outrider.drafter.eagle;

import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Heads for [TinyTarget] in the published layouts, tensor by tensor. Tests change the tensors and the configuration
/// before they write them.
final class Heads {
    static final int DRAFT_VOCABULARY = 10;

    private static final int H = TinyTarget.HIDDEN;
    private static final int INNER = 48;
    private static final int KEYS = 16;

    final Map<String, StoredTensor> tensors = new TreeMap<>();
    final Map<String, String> config = new TreeMap<>();
    private final Random random = new Random(11);

    private Heads() {
        config.put("model_type", "\"llama\"");
        config.put("hidden_size", "32");
        config.put("intermediate_size", "48");
        config.put("num_hidden_layers", "1");
        config.put("num_attention_heads", "4");
        config.put("num_key_value_heads", "2");
        config.put("head_dim", "8");
        config.put("vocab_size", "40");
        config.put("max_position_embeddings", "64");
        config.put("rms_norm_eps", "1e-5");
    }

    /// EAGLE-1 as its authors published it: a copy of the embedding, fc with bias, no input norm.
    static Heads eagle1() {
        var heads = new Heads();
        heads.config.put("bias", "true");
        heads.matrix("embed_tokens.weight", TinyTarget.VOCABULARY, H);
        heads.matrix("fc.weight", H, 2 * H);
        heads.vector("fc.bias", H, 0);
        heads.layer("layers.0.", H);
        heads.tensors.remove("layers.0.input_layernorm.weight");
        return heads;
    }

    /// EAGLE-3 as its authors published it: no embedding, a draft vocabulary with both maps.
    static Heads eagle3() {
        return eagle3("midlayer.");
    }

    private static Heads eagle3(String layer) {
        var heads = new Heads();
        heads.config.put("architectures", "[\"LlamaForCausalLMEagle3\"]");
        heads.config.put("draft_vocab_size", "" + DRAFT_VOCABULARY);
        heads.matrix("fc.weight", H, 3 * H);
        heads.layer(layer, 2 * H);
        heads.vector(layer + "hidden_norm.weight", H, 1);
        heads.vector("norm.weight", H, 1);
        heads.matrix("lm_head.weight", DRAFT_VOCABULARY, H);
        heads.maps(0, 1, 2, 5, 9, 11, 20, 30, 38, 39);
        return heads;
    }

    /// SpecForge's export: the original names, ids that count outputs.
    static Heads specForge() {
        var heads = eagle3();
        heads.config.put(
                "eagle_config",
                "{\"eagle_aux_hidden_state_layer_ids\": [1, 2, 3], \"use_aux_hidden_state\":"
                        + " true}");
        return heads;
    }

    /// The layout of speculators, which vLLM serves: the layer's configuration inside, layers by number.
    static Heads speculators() {
        var heads = eagle3("layers.0.");
        heads.config.keySet().removeIf(key -> key.equals("draft_vocab_size"));
        var layer = heads.json();
        heads.config.clear();
        heads.config.put("speculators_model_type", "\"eagle3\"");
        heads.config.put("architectures", "[\"Eagle3Speculator\"]");
        heads.config.put("transformer_layer_config", layer);
        heads.config.put("draft_vocab_size", "" + DRAFT_VOCABULARY);
        heads.config.put("norm_before_residual", "true");
        heads.config.put("norm_output", "true");
        heads.config.put("norm_before_fc", "true");
        heads.config.put("eagle_aux_hidden_state_layer_ids", "[2, 3, 4]");
        heads.vector("input_norm.weight", 3 * H, 1);
        return heads;
    }

    /// P-EAGLE as speculators has it: two layers, an embedding and a norm over all captured states, and the mask.
    static Heads peagle() {
        var heads = eagle3("layers.0.");
        heads.config.put("num_hidden_layers", "2");
        heads.config.keySet().removeIf(key -> key.equals("draft_vocab_size"));
        var layer = heads.json();
        heads.config.clear();
        heads.config.put("speculators_model_type", "\"peagle\"");
        heads.config.put("architectures", "[\"PEagleSpeculator\"]");
        heads.config.put("transformer_layer_config", layer);
        heads.config.put("draft_vocab_size", "" + DRAFT_VOCABULARY);
        heads.config.put("norm_before_residual", "true");
        heads.config.put("norm_before_fc", "true");
        heads.config.put("eagle_aux_hidden_state_layer_ids", "[2, 3, 4]");
        heads.config.put("mask_token_id", "37");
        heads.layer("layers.1.", H);
        heads.matrix("embed_tokens.weight", TinyTarget.VOCABULARY, H);
        heads.vector("input_norm.weight", 3 * H, 1);
        heads.mask(1, 1, 3 * H);
        return heads;
    }

    /// Adds the feature of the mask.
    void mask(long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        var values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) random.nextGaussian();
        }
        put(StoredTensor.ofFloats(EagleLayout.Mask.TENSOR, values, shape));
    }

    /// DeepSpec's: ids that count outputs from -1, q and k norms, the whole vocabulary, its own embedding.
    static Heads deepSpec() {
        var heads = eagle3("layers.0.");
        heads.config.remove("draft_vocab_size");
        heads.config.put("model_type", "\"qwen3\"");
        heads.config.put("target_layer_ids", "[-1, 2, 5]");
        heads.matrix("embed_tokens.weight", TinyTarget.VOCABULARY, H);
        heads.matrix("lm_head.weight", TinyTarget.VOCABULARY, H);
        heads.vector("layers.0.self_attn.q_norm.weight", 8, 1);
        heads.vector("layers.0.self_attn.k_norm.weight", 8, 1);
        heads.tensors.remove(VocabularyMaps.OFFSETS);
        heads.tensors.remove(VocabularyMaps.MEMBERS);
        return heads;
    }

    /// Both maps for a draft vocabulary of these target ids.
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
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (random.nextGaussian() / Math.sqrt(columns));
        }
        put(StoredTensor.ofFloats(name, values, rows, columns));
    }

    void vector(String name, int size, float centre) {
        var values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = centre + 0.1f * (float) random.nextGaussian();
        }
        put(StoredTensor.ofFloats(name, values, size));
    }

    void put(StoredTensor tensor) {
        tensors.put(tensor.name(), tensor);
    }

    Path write(Path directory) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("config.json"), json());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SafetensorsWriter.write(directory.resolve("model.safetensors"), tensors.values(), Map.of());
        return directory;
    }

    private String json() {
        var entries =
                config.entrySet().stream()
                        .map(entry -> "\"%s\": %s".formatted(entry.getKey(), entry.getValue()))
                        .toList();
        return "{" + String.join(", ", entries) + "}";
    }

    private void layer(String prefix, int input) {
        matrix(prefix + "self_attn.q_proj.weight", H, input);
        matrix(prefix + "self_attn.k_proj.weight", KEYS, input);
        matrix(prefix + "self_attn.v_proj.weight", KEYS, input);
        matrix(prefix + "self_attn.o_proj.weight", H, H);
        matrix(prefix + "mlp.gate_proj.weight", INNER, H);
        matrix(prefix + "mlp.up_proj.weight", INNER, H);
        matrix(prefix + "mlp.down_proj.weight", H, INNER);
        vector(prefix + "input_layernorm.weight", H, 1);
        vector(prefix + "post_attention_layernorm.weight", H, 1);
    }
}
