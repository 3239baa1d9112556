package dev.outrider.drafter.mtp;

import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/// A checkpoint with modules for [TinyTarget], written tensor by tensor, so that tests can leave out, add or change tensors before the
/// file is written.
final class ModuleFiles {
    private static final int H = TinyTarget.HIDDEN;
    private static final int INNER = 48;
    private static final int KEYS = 16;

    private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();
    private final Map<String, String> config = new LinkedHashMap<>();

    private ModuleFiles(String modelType) {
        config.put("model_type", "\"" + modelType + "\"");
        config.put("vocab_size", "" + TinyTarget.VOCABULARY);
        config.put("hidden_size", "" + H);
        config.put("intermediate_size", "" + INNER);
        config.put("num_hidden_layers", "" + TinyTarget.SHALLOW.layers());
        config.put("num_attention_heads", "4");
        config.put("num_key_value_heads", "2");
        config.put("head_dim", "8");
        config.put("max_position_embeddings", "" + TinyTarget.POSITIONS);
        config.put("rms_norm_eps", "1e-5");
        config.put("rope_theta", "10000");
    }

    /// DeepSeek-V3's names around a plain Llama's layer, as Outrider trains them.
    static ModuleFiles deepSeek(int modules) {
        var files = new ModuleFiles("llama");
        files.config.put("num_nextn_predict_layers", "" + modules);
        files.layersAfterTheTarget(modules);
        return files;
    }

    /// GLM-4.5: DeepSeek's names, biases and norms as its configuration says.
    static ModuleFiles glm() {
        var files = new ModuleFiles("glm4_moe");
        files.config.put("num_nextn_predict_layers", "1");
        files.config.put("attention_bias", "true");
        files.config.put("use_qk_norm", "true");
        files.config.put("partial_rotary_factor", "1");
        files.layersAfterTheTarget(1);
        var layer = "model.layers.3.self_attn.";
        files.biases(layer);
        files.headNorms(layer, 1);
        return files;
    }

    /// Qwen3-Next: one projection for all layers, norms around 0, gated queries, norms per head.
    static ModuleFiles qwen() {
        var files = new ModuleFiles("qwen3_next");
        files.config.put("mtp_num_hidden_layers", "1");
        files.config.put("partial_rotary_factor", "1");
        files.put("mtp.fc.weight", 1, H, 2 * H);
        files.norm("mtp.pre_fc_norm_embedding.weight", 0);
        files.norm("mtp.pre_fc_norm_hidden.weight", 0);
        files.norm("mtp.norm.weight", 0);
        files.layer("mtp.layers.0.", 0, 2 * H);
        files.headNorms("mtp.layers.0.self_attn.", 0);
        return files;
    }

    /// MiMo-7B: hidden half first, biases as in Qwen2.
    static ModuleFiles mimo() {
        var files = new ModuleFiles("mimo");
        files.config.put("num_nextn_predict_layers", "1");
        files.inputProjection("model.mtp_layers.0.");
        files.biases("model.mtp_layers.0.self_attn.");
        return files;
    }

    /// The speculators library: its own configuration around the target's.
    static ModuleFiles speculators() {
        var files = new ModuleFiles("llama");
        files.inputProjection("mtp_layers.0.");
        return files;
    }

    private void layersAfterTheTarget(int modules) {
        for (int module = 0; module < modules; module++) {
            var prefix = "model.layers.%d.".formatted(TinyTarget.SHALLOW.layers() + module);
            norm(prefix + "enorm.weight", 1);
            norm(prefix + "hnorm.weight", 1);
            put(prefix + "eh_proj.weight", 1, H, 2 * H);
            norm(prefix + "shared_head.norm.weight", 1);
            layer(prefix, 1, H);
        }
    }

    private void inputProjection(String prefix) {
        norm(prefix + "token_layernorm.weight", 1);
        norm(prefix + "hidden_layernorm.weight", 1);
        put(prefix + "input_proj.weight", 1, H, 2 * H);
        norm(prefix + "final_layernorm.weight", 1);
        layer(prefix, 1, H);
    }

    private void layer(String prefix, double normCentre, int queries) {
        norm(prefix + "input_layernorm.weight", normCentre);
        put(prefix + "self_attn.q_proj.weight", 1, queries, H);
        put(prefix + "self_attn.k_proj.weight", 1, KEYS, H);
        put(prefix + "self_attn.v_proj.weight", 1, KEYS, H);
        put(prefix + "self_attn.o_proj.weight", 1, H, H);
        norm(prefix + "post_attention_layernorm.weight", normCentre);
        put(prefix + "mlp.gate_proj.weight", 1, INNER, H);
        put(prefix + "mlp.up_proj.weight", 1, INNER, H);
        put(prefix + "mlp.down_proj.weight", 1, H, INNER);
    }

    private void biases(String attention) {
        put(attention + "q_proj.bias", 0.3, H);
        put(attention + "k_proj.bias", 0.3, KEYS);
        put(attention + "v_proj.bias", 0.3, KEYS);
    }

    private void headNorms(String attention, double centre) {
        values(attention + "q_norm.weight", centre, 0.1, 8);
        values(attention + "k_norm.weight", centre, 0.1, 8);
    }

    private void norm(String name, double centre) {
        values(name, centre, 0.1, H);
    }

    /// Returns a tensor of random numbers that depend on its shape and on how many tensors were written before it.
    ModuleFiles put(String name, double gain, long... shape) {
        return values(
                name, 0, gain * (shape.length > 1 ? 1.5 / Math.sqrt((double) shape[1]) : 1), shape);
    }

    private ModuleFiles values(String name, double centre, double deviation, long... shape) {
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        var random = new SplittableRandom(31L * tensors.size() + count);
        var values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (centre + deviation * random.nextGaussian());
        }
        tensors.put(name, StoredTensor.ofFloats(name, values, shape));
        return this;
    }

    ModuleFiles without(String name) {
        if (tensors.remove(name) == null) {
            throw new IllegalArgumentException("no tensor " + name);
        }
        return this;
    }

    /// @param json the value as JSON
    ModuleFiles with(String key, String json) {
        config.put(key, json);
        return this;
    }

    /// Returns the same numbers under other names; a projection's halves can be exchanged.
    ModuleFiles renamed(ModuleFiles names, boolean swapHalves) {
        var mine = tensors.values().iterator();
        for (var theirs : names.tensors.values().stream().toList()) {
            if (!mine.hasNext()) {
                break;
            }
            var tensor = mine.next();
            float[] values = tensor.toFloats();
            boolean projection = tensor.shape().equals(java.util.List.of((long) H, 2L * H));
            var shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
            names.tensors.put(
                    theirs.name(),
                    StoredTensor.ofFloats(
                            theirs.name(),
                            projection && swapHalves ? swapped(values) : values,
                            shape));
        }
        return names;
    }

    private static float[] swapped(float[] rows) {
        var result = new float[rows.length];
        for (int row = 0; row < H; row++) {
            System.arraycopy(rows, row * 2 * H, result, row * 2 * H + H, H);
            System.arraycopy(rows, row * 2 * H + H, result, row * 2 * H, H);
        }
        return result;
    }

    /// Writes the folder.
    Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        var entries =
                config.entrySet().stream()
                        .map(entry -> "\"%s\": %s".formatted(entry.getKey(), entry.getValue()))
                        .toList();
        Files.writeString(
                folder.resolve("config.json"), "{" + String.join(",\n ", entries) + "}\n");
        SafetensorsWriter.write(
                folder.resolve("model.safetensors"), tensors.values(), Map.of("format", "pt"));
        return folder;
    }

    /// Writes the folder with the configuration inside another, as the speculators library does.
    Path writeNested(Path folder) throws IOException {
        write(folder);
        var inner = Files.readString(folder.resolve("config.json"));
        Files.writeString(
                folder.resolve("config.json"),
                "{\"speculators_model_type\": \"mtp\", \"num_nextn_predict_layers\": 1, \"transformer_layer_config\": "
                        + inner
                        + "}");
        return folder;
    }
}
