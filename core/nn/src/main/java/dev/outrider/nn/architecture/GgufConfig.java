package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.nn.gguf.GgufMetadata;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/// Translates the metadata of a GGUF file to the keys of `config.json`, so that one reader serves
/// both. An unknown key of the architecture is refused, because it may change every result
/// (docs/decisions/0057).
///
/// @see "llama.cpp, gguf-py/gguf/constants.py: what its converter writes for each architecture"
final class GgufConfig {
    /// `model_type` by `general.architecture`.
    private static final SortedMap<String, Family> FAMILIES = Family.byArchitecture();

    /// Keys without an effect here.
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("vocab_size", "tensor_data_layout", "rope.scaling.finetuned", "pooling_type");

    /// Layers of the largest Gemma 2 and Gemma 3, whose scores are scaled by the stream's width per
    /// head.
    private static final Map<Family, Integer> LARGEST =
            Map.of(Family.GEMMA2, 46, Family.GEMMA3, 62);

    private final GgufFile file;
    private final GgufMetadata metadata;
    private final String architecture;
    private final Family family;
    private final ObjectNode root = JsonNodeFactory.instance.objectNode();
    private final Set<String> read = new HashSet<>();

    private GgufConfig(GgufFile file) {
        this.file = file;
        metadata = file.metadata();
        architecture = metadata.requiredText("general.architecture");
        boolean mixtral =
                architecture.equals("llama")
                        && metadata.natural("llama.expert_count").orElse(0) > 0;
        if (!FAMILIES.containsKey(architecture)) {
            throw metadata.unsupported(
                    "general.architecture '%s'".formatted(architecture),
                    String.join(", ", FAMILIES.keySet()));
        }
        family = mixtral ? Family.MIXTRAL : FAMILIES.get(architecture);
    }

    /// Returns the supported values of `general.architecture`.
    static Set<String> architectures() {
        return FAMILIES.keySet();
    }

    static ModelConfig read(GgufFile file) {
        var said = new GgufConfig(file);
        said.say();
        var config = ModelConfig.of(new ConfigNode(file.path(), "", said.root));
        return new ModelConfig(
                config.family(),
                said.stored(config.decoder()),
                config.beginOfSequence(),
                config.endOfSequence(),
                config.storage());
    }

    /// The file stores Gemma's norm weights plus one. If queries have biases, the output may still have none.
    private DecoderConfig stored(DecoderConfig decoder) {
        var norms = decoder.form().norms();
        var stored =
                new BlockForm.Norms(
                        norms.kind(),
                        norms.place(),
                        false,
                        norms.embedding(),
                        norms.last(),
                        norms.wholeQueries());
        return decoder.toBuilder()
                .form(decoder.form().with(stored))
                .outputBias(decoder.outputBias() && has("blk.0.attn_output.bias"))
                .build();
    }

    private void say() {
        root.put("model_type", family.modelType());
        switch (family) {
            case GPT2 -> sizes("n_embd", "n_layer", "n_head", "n_positions", "n_inner");
            default ->
                    sizes(
                            "hidden_size",
                            "num_hidden_layers",
                            "num_attention_heads",
                            "max_position_embeddings",
                            "intermediate_size");
        }
        defaults();
        root.put("vocab_size", vocabulary());
        root.put("tie_word_embeddings", !has("output.weight"));
        number("attention.layer_norm_rms_epsilon", "rms_norm_eps");
        number("attention.layer_norm_epsilon", layerNorm());
        number("rope.freq_base", "rope_theta");
        experts();
        biases();
        switch (family) {
            case GEMMA2, GEMMA3 -> gemma();
            case PHI3, GPT_OSS -> window();
            case GPT_NEOX -> truth("use_parallel_residual", "use_parallel_residual");
            case GRANITE -> granite();
            default -> {
                // The other scalings have only keys that all families have.
            }
        }
        rotation();
        tokens();
        refuseOthers();
    }

    private void sizes(String hidden, String layers, String heads, String positions, String inner) {
        natural("embedding_length", hidden);
        natural("block_count", layers);
        natural("attention.head_count", heads);
        natural("context_length", positions);
        natural("feed_forward_length", inner);
    }

    /// In every supported family the weights of the chosen experts sum to one; there is no key for it.
    private void experts() {
        natural(
                "expert_count",
                family == Family.MIXTRAL || family == Family.GPT_OSS
                        ? "num_local_experts"
                        : "num_experts");
        natural("expert_used_count", "num_experts_per_tok");
        switch (family) {
            case QWEN3_MOE -> {
                natural("expert_feed_forward_length", "moe_intermediate_size");
                root.put("norm_topk_prob", true);
            }
            case MIXTRAL, GPT_OSS -> natural("expert_feed_forward_length", "intermediate_size");
            default -> {
                // The other families have no such keys.
            }
        }
    }

    private String layerNorm() {
        return switch (family) {
            case GPT2 -> "layer_norm_epsilon";
            case STARCODER2 -> "norm_epsilon";
            default -> "layer_norm_eps";
        };
    }

    /// Omitted keys have the same defaults for all families in GGUF, but different ones in
    /// `config.json`.
    private void defaults() {
        root.put("num_key_value_heads", one("attention.head_count"));
        natural("attention.head_count_kv", "num_key_value_heads");
        root.put("rope_theta", 10_000);
        root.putNull("rope_scaling");
        if (width() > 0) {
            root.put("head_dim", width());
        }
        int values = one("attention.value_length");
        if (values > 0 && values != width()) {
            throw metadata.unsupported(
                    "values of %d numbers a head and keys of %d".formatted(values, width()),
                    "both of one width");
        }
    }

    /// Returns the width of a head; 0 if no key says so.
    private int width() {
        int keys = one("attention.key_length");
        int heads = one("attention.head_count");
        int hidden = one("embedding_length");
        boolean shared = keys == 0 && heads > 0 && hidden % heads == 0;
        return shared ? hidden / heads : keys;
    }

    /// The embedding has a row for every token.
    private int vocabulary() {
        var embedding = file.tensors().get("token_embd.weight");
        if (embedding == null || embedding.shape().size() != 2) {
            throw metadata.invalid("has no matrix token_embd.weight");
        }
        return (int) Math.min(Integer.MAX_VALUE, embedding.shape().getFirst());
    }

    /// Files have no keys for biases; the tensors show them.
    private void biases() {
        boolean attention = has("blk.0.attn_q.bias") || has("blk.0.attn_qkv.bias");
        switch (family) {
            case STARCODER2 -> root.put("use_bias", attention);
            default -> {
                root.put("attention_bias", attention);
                root.put("mlp_bias", has("blk.0.ffn_up.bias"));
            }
        }
    }

    private void gemma() {
        window();
        int layers = one("block_count");
        boolean largest = LARGEST.getOrDefault(family, 0) == layers;
        int heads = Math.max(1, one("attention.head_count"));
        root.put("query_pre_attn_scalar", largest ? one("embedding_length") / heads : width());
        number("attn_logit_softcapping", "attn_logit_softcapping");
        number("final_logit_softcapping", "final_logit_softcapping");
        number("rope.freq_base_swa", "rope_local_base_freq");
        var pattern = key("attention.sliding_window_pattern");
        if (!root.has("sliding_window")) {
            root.put("sliding_window_pattern", 1);
        } else if (metadata.isList(pattern)) {
            var kinds = root.putArray("layer_types");
            metadata.truths(pattern)
                    .forEach(local -> kinds.add(local ? "sliding_attention" : "full_attention"));
        } else if (metadata.has(pattern)) {
            root.put("sliding_window_pattern", one("attention.sliding_window_pattern"));
        }
    }

    private void window() {
        int window = one("attention.sliding_window");
        if (window > 0) {
            root.put("sliding_window", window);
        } else if (family == Family.GEMMA2) {
            root.put("sliding_window", 4096);
        }
    }

    private void granite() {
        number("attention.scale", "attention_multiplier");
        number("embedding_scale", "embedding_multiplier");
        number("residual_scale", "residual_multiplier");
        number("logit_scale", "logits_scaling");
        if (!metadata.truth(key("rope.scaling.finetuned")).orElse(true)) {
            throw metadata.unsupported(
                    "%s = false".formatted(key("rope.scaling.finetuned")), "layers that rotate");
        }
    }

    private void rotation() {
        int rotated = one("rope.dimension_count");
        if (rotated > 0 && family == Family.GPT_NEOX) {
            root.put("rotary_pct", part(rotated));
        } else if (rotated > 0 && rotated != width()) {
            root.put("partial_rotary_factor", part(rotated));
        }
        var type = metadata.text(key("rope.scaling.type")).orElse("none");
        read.add("rope.scaling.type");
        int original = one("rope.scaling.original_context_length");
        var shorter = file.numbers("rope_factors_short.weight");
        var longer = file.numbers("rope_factors_long.weight");
        var factors = file.numbers("rope_freqs.weight");
        if (longer.length > 0) {
            divided(shorter, longer, original);
        } else if (factors.length > 0) {
            divided(factors, factors, 0);
        } else if (!type.equals("none")) {
            var scaling = root.putObject("rope_scaling").put("rope_type", type);
            scaled(scaling, original);
        }
    }

    /// Rounded up, so that `(int) (size * part)` gives the same number again.
    private double part(int rotated) {
        return Math.nextUp((double) rotated / Math.max(1, width()));
    }

    private void scaled(ObjectNode scaling, int original) {
        scaling.put("factor", metadata.number(key("rope.scaling.factor")).orElse(1));
        read.add("rope.scaling.factor");
        if (original > 0) {
            scaling.put("original_max_position_embeddings", original);
        }
        if (family == Family.GPT_OSS) {
            scaling.put("truncate", false);
        }
        for (var beta : List.of("beta_fast", "beta_slow")) {
            metadata.number(key("rope.scaling.yarn_" + beta))
                    .ifPresent(value -> scaling.put(beta, value));
            read.add("rope.scaling.yarn_" + beta);
        }
    }

    /// Adds a divisor per frequency, for texts of the original length and for longer ones.
    private void divided(float[] shorter, float[] longer, int original) {
        var scaling = root.putObject("rope_scaling").put("rope_type", "longrope");
        var ofShort = scaling.putArray("short_factor");
        var ofLong = scaling.putArray("long_factor");
        for (float factor : shorter) {
            ofShort.add((double) factor);
        }
        for (float factor : longer) {
            ofLong.add((double) factor);
        }
        scaling.put("attention_factor", metadata.number(key("rope.scaling.attn_factor")).orElse(1));
        read.add("rope.scaling.attn_factor");
        if (original > 0) {
            root.put("original_max_position_embeddings", original);
        }
    }

    private void tokens() {
        metadata.natural("tokenizer.ggml.bos_token_id")
                .ifPresent(id -> root.put("bos_token_id", id));
        var ends = root.putArray("eos_token_id");
        for (var name : List.of("eos", "eot", "eom")) {
            metadata.natural("tokenizer.ggml.%s_token_id".formatted(name)).ifPresent(ends::add);
        }
    }

    private void refuseOthers() {
        if (!metadata.truth(key("attention.causal")).orElse(true)) {
            throw metadata.unsupported(
                    "%s = false".formatted(key("attention.causal")),
                    "rows that see only what comes before them");
        }
        var prefix = architecture + ".";
        for (var name : metadata.keys()) {
            if (!name.startsWith(prefix)) {
                continue;
            }
            var key = name.substring(prefix.length());
            if (!read.contains(key) && !WITHOUT_EFFECT.contains(key) && !metadata.isNought(name)) {
                throw metadata.unsupported(
                        "the key %s".formatted(name),
                        "%s without what it says".formatted(architecture));
            }
        }
    }

    private boolean has(String tensor) {
        return file.tensors().containsKey(tensor);
    }

    private String key(String name) {
        read.add(name);
        return "%s.%s".formatted(architecture, name);
    }

    /// Returns an integer, or the value of a list of equal ones; 0 if absent.
    private int one(String name) {
        var key = key(name);
        if (!metadata.isList(key)) {
            return metadata.natural(key).orElse(0);
        }
        var all = Set.copyOf(metadata.naturals(key));
        if (all.size() != 1) {
            throw metadata.unsupported(
                    "%s = %s".formatted(key, metadata.naturals(key)), "layers that are alike");
        }
        return all.iterator().next();
    }

    private void natural(String name, String as) {
        if (one(name) > 0) {
            root.put(as, one(name));
        }
    }

    private void number(String name, String as) {
        metadata.number(key(name)).ifPresent(value -> root.put(as, value));
    }

    private void truth(String name, String as) {
        metadata.truth(key(name)).ifPresent(value -> root.put(as, value));
    }
}
