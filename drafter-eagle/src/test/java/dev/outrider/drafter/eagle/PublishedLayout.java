package dev.outrider.drafter.eagle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The keys of `config.json` and the tensors that a published layout requires, in tables: the source that states them (repository,
/// commit, files); path and kind of every key, with the only value after `=` if there is only one; name, type and sizes of every
/// tensor, with `~` before tensors that not every head has. A key or tensor that is not in the table is a mistake too.
enum PublishedLayout {
    SPECULATORS(
            "vllm-project/speculators c05b95b303f7d4f21e8d7624e0ffa1c2d9b4d73b (0.7):"
                    + " src/speculators/config.py, proposals/greedy.py, models/eagle3/config.py, models/eagle3/core.py, model.py",
            """
            architectures                                                   texts
            speculators_model_type                                          text=eagle3
            speculators_version                                             text
            speculators_config.algorithm                                    text=eagle3
            speculators_config.default_proposal_method                      text=greedy
            speculators_config.proposal_methods.0.proposal_type             text=greedy
            speculators_config.proposal_methods.0.speculative_tokens        integer
            speculators_config.proposal_methods.0.verifier_accept_k         integer
            speculators_config.proposal_methods.0.accept_tolerance          number
            speculators_config.verifier.name_or_path                        text
            speculators_config.verifier.architectures                       texts
            draft_vocab_size                                                integer
            target_hidden_size                                              null
            eagle_aux_hidden_state_layer_ids                                integers
            norm_before_residual                                            truth
            norm_before_fc                                                  truth
            fc_norm                                                         truth
            norm_output                                                     truth
            embed_requires_grad                                             truth
            tie_word_embeddings                                             truth=false
            torch_dtype                                                     text
            """
                    + layer("transformer_layer_config."),
            """
            fc.weight           float  h a*t
            input_norm.weight  ~float  a*t
            fc_norm.0.weight   ~float  t
            fc_norm.1.weight   ~float  t
            fc_norm.2.weight   ~float  t
            embed_tokens.weight  float V h
            norm.weight         float  h
            lm_head.weight      float  D h
            d2t                ~I64    D
            t2d                ~BOOL   V
            """
                    + tensors("layers.0.")),
    SPECFORGE(
            "sgl-project/SpecForge a6b6b0230009d15ec2a97a57384e6f53f0f96946: specforge/modeling/draft/llama3_eagle.py, modeling/auto.py,"
                    + " export/to_hf.py, configs/qwen3-30B-A3B-eagle3.1.json, algorithms/model_providers.py; norm_output as of its pull request 879",
            layer("")
                            .replace(
                                    "architectures                 texts",
                                    "architectures                 texts=LlamaForCausalLMEagle3")
                    + """
                    draft_vocab_size                              integer
                    target_hidden_size                            integer
                    fc_norm                                       truth
                    norm_output                                   truth
                    eagle_config.use_aux_hidden_state             truth=true
                    eagle_config.eagle_aux_hidden_state_layer_ids integers
                    """,
            """
            fc.weight           float  h a*t
            fc_norm.0.weight   ~float  t
            fc_norm.1.weight   ~float  t
            fc_norm.2.weight   ~float  t
            embed_tokens.weight  float V h
            norm.weight         float  h
            lm_head.weight      float  D h
            d2t                 I64    D
            t2d                 BOOL   V
            """
                    + tensors("midlayer."));

    private final String source;
    private final Map<String, String> keys;
    private final Map<String, List<String>> tensors;

    PublishedLayout(String source, String keys, String tensors) {
        this.source = source;
        this.keys = new TreeMap<>();
        keys.lines()
                .map(String::strip)
                .map(line -> line.split("\\s+", 2))
                .forEach(each -> this.keys.put(each[0], each[1]));
        this.tensors = new TreeMap<>();
        tensors.lines()
                .map(line -> List.of(line.strip().split("\\s+")))
                .forEach(each -> this.tensors.put(each.getFirst(), each.subList(1, each.size())));
    }

    /// Returns the keys of a Llama's own configuration.
    private static String layer(String prefix) {
        return """
        architectures                 texts
        model_type                    text=llama
        vocab_size                    integer
        hidden_size                   integer
        intermediate_size             integer
        num_hidden_layers             integer
        num_attention_heads           integer
        num_key_value_heads           integer
        head_dim                      integer
        max_position_embeddings       integer
        rms_norm_eps                  number
        rope_theta                    number
        hidden_act                    text=silu
        attention_bias                truth
        mlp_bias                      truth
        tie_word_embeddings           truth=false
        bos_token_id                  ids
        eos_token_id                  ids
        torch_dtype                   text
        """
                .indent(0)
                .replaceAll("(?m)^", prefix)
                .replaceAll("(?m)^" + prefix + "$", "");
    }

    private static String tensors(String layer) {
        return """
        self_attn.q_proj.weight          float q 2*h
        self_attn.k_proj.weight          float k 2*h
        self_attn.v_proj.weight          float k 2*h
        self_attn.o_proj.weight          float h q
        mlp.gate_proj.weight             float m h
        mlp.up_proj.weight               float m h
        mlp.down_proj.weight             float h m
        hidden_norm.weight               float h
        input_layernorm.weight           float h
        post_attention_layernorm.weight  float h
        """
                .replaceAll("(?m)^(?=.)", layer);
    }

    Set<String> requiredKeys() {
        return keys.keySet();
    }

    /// Returns the mistakes of a configuration.
    List<String> problems(JsonNode config) {
        var problems = new ArrayList<String>();
        keys.forEach((path, kind) -> {
            var value = config.at("/" + path.replace('.', '/'));
            if (!is(value, kind)) {
                problems.add("%s is %s, not %s (%s)".formatted(path, value, kind, source));
            }
        });
        leaves("", config)
                .filter(path -> !keys.containsKey(path))
                .forEach(path -> problems.add("nobody reads " + path));
        return problems;
    }

    /// Returns the mistakes of tensors.
    ///
    /// @param sizes of h, t, a, V, D, q, k and m
    List<String> problems(CheckpointTensors file, Map<String, Integer> sizes) {
        var problems = new ArrayList<String>();
        tensors.forEach((name, row) -> {
            var stored = file.find(name);
            boolean optional = row.getFirst().startsWith("~");
            if (stored.isEmpty()) {
                if (!optional) {
                    problems.add("there is no " + name);
                }
                return;
            }
            var shape = row.subList(1, row.size()).stream().map(size -> size(size, sizes)).toList();
            if (!stored.get().shape().equals(shape)
                    || !isType(stored.get().type(), row.getFirst().replace("~", ""))) {
                problems.add(
                        "%s is %s %s, not %s %s"
                                .formatted(
                                        name,
                                        stored.get().type(),
                                        stored.get().shape(),
                                        row.getFirst(),
                                        shape));
            }
        });
        var unknown = new TreeSet<>(file.names());
        unknown.removeAll(tensors.keySet());
        unknown.forEach(name -> problems.add("nobody reads " + name));
        return problems;
    }

    private static long size(String product, Map<String, Integer> sizes) {
        return Arrays.stream(product.split("\\*"))
                .mapToLong(factor ->
                        Character.isDigit(factor.charAt(0))
                                ? Long.parseLong(factor)
                                : sizes.getOrDefault(factor, -1))
                .reduce(1, (a, b) -> a * b);
    }

    private static boolean isType(TensorType type, String kind) {
        return kind.equals("float")
                ? Set.of(TensorType.F32, TensorType.F16, TensorType.BF16).contains(type)
                : type.name().equals(kind);
    }

    private static boolean is(JsonNode value, String kind) {
        var parts = kind.split("=", 2);
        boolean right =
                switch (parts[0]) {
                    case "text" -> value.isTextual();
                    case "texts" -> all(value, JsonNode::isTextual);
                    case "integer" -> value.isInt();
                    case "integers" -> all(value, JsonNode::isInt);
                    case "number" -> value.isNumber();
                    case "truth" -> value.isBoolean();
                    case "null" -> value.isNull();
                    case "ids" -> value.isNull() || value.isInt() || all(value, JsonNode::isInt);
                    default -> throw new IllegalArgumentException(kind);
                };
        return right
                && (parts.length == 1
                        || (value.isArray() ? value.path(0) : value).asText().equals(parts[1]));
    }

    private static boolean all(JsonNode list, Predicate<JsonNode> each) {
        return list.isArray()
                && Stream.iterate(0, i -> i < list.size(), i -> i + 1)
                        .allMatch(i -> each.test(list.path(i)));
    }

    /// Returns the paths of values; a list of plain values counts as one value.
    private static Stream<String> leaves(String path, JsonNode node) {
        if (node.isObject()) {
            return node.properties().stream()
                    .flatMap(each ->
                            leaves(
                                    path + (path.isEmpty() ? "" : ".") + each.getKey(),
                                    each.getValue()));
        }
        if (node.isArray() && node.path(0).isObject()) {
            return Stream.iterate(0, i -> i < node.size(), i -> i + 1)
                    .flatMap(i -> leaves(path + "." + i, node.path(i)));
        }
        return Stream.of(path);
    }
}
