package dev.outrider.nn.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.network.BlockForm.NormPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/// The names of tensors in checkpoints, by the tables of `tensor-names.json`.
///
/// A table has the start of a layer's names (`layer`), tensors that may stay unread (with `*` at one end, `!` for all others), and
/// for each weight a pattern or several, of which the first that applies is taken. It adds to the table that it names as `base`.
/// A pattern is a name, in which `{stack}`, `{layer}`, `{number}`, `{expert}` and `{head}` are replaced, followed by words:
///
/// | word | meaning |
/// | --- | --- |
/// | `if:X`, `unless:X` | applies if X is true: `gated`, `apart` (gates have tensors of their own), `before` or `results` (place of norms), or a tensor that is there |
/// | `rows:query`, `key`, `value`, `gate`, `up` | rows of a tensor that these projections share |
/// | `rows:query-of-heads`, … | the same if the rows of a head are together |
/// | `rows:even`, `odd`, `all` | every second row, or all |
/// | `stacked` | the tensor holds the matrices of all experts of a layer |
/// | `transposed` | rows are inputs; `lying`: unless the tensor is kept in blocks |
/// | `paired` | rows of a head may be interleaved, see [TensorPart#paired] |
///
/// @see "Radford et al. 2019 (GPT-2); Zhang et al. 2022 (OPT); Black et al. 2022 (GPT-NeoX); Jiang et al. 2024 (Mixtral); OpenAI 2025
///     (gpt-oss); llama.cpp, gguf-py/gguf/constants.py and tensor_mapping.py"
final class TensorNames implements WeightNaming {
    private static final Map<String, Table> TABLES = tables();
    private static final String HEAD = "lm_head.weight";
    private static final String ANGLES = "rotary_emb.inv_freq";

    /// Prefixes of Llama's names: models that also read images or sound have their decoder one level down; bare decoders have none.
    private static final List<String> STACKS =
            List.of("model.", "model.language_model.", "language_model.model.", "");

    /// A tensor of a layer that predicts further tokens, which is a drafter.
    private static final String MODULE = "eh_proj.weight";

    /// Architectures of GGUF files whose rows of queries and keys the converter permutes.
    private static final Set<String> INTERLEAVED = Set.of("llama", "granite", "smollm3");

    private final Table table;
    private final DecoderConfig config;
    private final String stack;
    private final String head;
    private final boolean interleaved;
    private final Set<String> names;
    private final Set<String> facts = new HashSet<>();

    private record Table(
            boolean llama, String layer, List<String> unread, Map<Weight, List<String>> patterns) {}

    private TensorNames(
            String table,
            DecoderConfig config,
            Collection<String> names,
            String stack,
            boolean interleaved) {
        this.table = table(table);
        this.config = config;
        this.stack = stack;
        this.interleaved = interleaved;
        this.names = Set.copyOf(names);
        head = stack.startsWith("language_model.") ? "language_model." + HEAD : HEAD;
        var form = config.form();
        if (form.feedForward().gated()) {
            facts.add("gated");
        }
        if (form.norms().place() == NormPlace.BEFORE) {
            facts.add("before");
        }
        if (form.norms().place().results()) {
            facts.add("results");
        }
    }

    private static Table table(String name) {
        return Objects.requireNonNull(TABLES.get(name));
    }

    private static Map<String, Table> tables() {
        try (var in =
                Objects.requireNonNull(
                        TensorNames.class.getResourceAsStream("tensor-names.json"))) {
            var tables = new HashMap<String, Table>();
            for (var entry : new ObjectMapper().readTree(in).properties()) {
                tables.put(entry.getKey(), table(entry.getKey(), entry.getValue(), tables));
            }
            return tables;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Table table(String name, JsonNode node, Map<String, Table> tables) {
        var base =
                tables.getOrDefault(
                        node.path("base").asText(),
                        new Table(name.equals("llama"), "", List.of(), Map.of()));
        var patterns = new EnumMap<Weight, List<String>>(Weight.class);
        patterns.putAll(base.patterns);
        node.path("weights")
                .properties()
                .forEach(each ->
                        patterns.put(Weight.valueOf(each.getKey()), texts(each.getValue())));
        var unread = texts(node.path("unread"));
        return new Table(
                base.llama,
                node.path("layer").asText(base.layer),
                unread.isEmpty() ? base.unread : unread,
                patterns);
    }

    private static List<String> texts(JsonNode node) {
        return node.isTextual()
                ? List.of(node.textValue())
                : node.valueStream().map(JsonNode::textValue).toList();
    }

    /// Returns the names of a model's layout.
    static TensorNames of(DecoderConfig config, Collection<String> names) {
        if (config.part() != Part.DECODER) {
            boolean bart = config.form().norms().kind() == BlockForm.NormKind.LAYER;
            var part = config.part() == Part.ENCODER ? "encoder" : "decoder";
            var stack = (bart ? "model." : "") + part + ".";
            return new TensorNames((bart ? "bart-" : "t5-") + part, config, names, stack, false);
        }
        if (config.form().positions() instanceof Positions.Learned) {
            for (var stack : List.of("", "transformer.")) {
                if (any(names, name -> name.startsWith(stack + "h.0."))) {
                    return new TensorNames("gpt2", config, names, stack, false);
                }
            }
            return new TensorNames(
                    "opt",
                    config,
                    names,
                    stack(List.of("model.decoder.", "decoder."), names),
                    false);
        }
        if (any(names, name -> name.startsWith("gpt_neox."))) {
            return new TensorNames("gpt-neox", config, names, "gpt_neox.", false);
        }
        return new TensorNames(llama(config, names), config, names, stack(STACKS, names), false);
    }

    /// Returns the names of a GGUF file, which are the same for all families.
    static TensorNames ofGguf(DecoderConfig config, String architecture, Set<String> names) {
        boolean apart = any(names, name -> name.endsWith(".ffn_gate.weight"));
        return ofGguf(config, architecture, names, apart);
    }

    /// Returns the names of a GGUF file.
    ///
    /// @param apart whether gates have separate tensors
    static TensorNames ofGguf(
            DecoderConfig config, String architecture, Set<String> names, boolean apart) {
        boolean interleaved = INTERLEAVED.contains(architecture);
        var result = new TensorNames("gguf", config, names, "", interleaved);
        if (apart) {
            result.facts.add("apart");
        }
        return result;
    }

    /// Returns the table of a family that has Llama's names for most weights.
    private static String llama(DecoderConfig config, Collection<String> names) {
        var experts = config.form().feedForward().experts();
        if (experts.isPresent()) {
            boolean mixtral = any(names, name -> name.contains(".block_sparse_moe."));
            return experts.get().biases() ? "gpt-oss" : mixtral ? "mixtral" : "qwen-moe";
        }
        return any(names, name -> name.contains("self_attn.qkv_proj.")) ? "phi3" : "llama";
    }

    private static boolean any(Collection<String> names, Predicate<String> what) {
        return names.stream().anyMatch(what);
    }

    /// Returns the first prefix of names under which there is an embedding, otherwise the first.
    private static String stack(List<String> known, Collection<String> names) {
        return known.stream()
                .filter(stack -> names.contains(stack + "embed_tokens.weight"))
                .findFirst()
                .orElse(known.getFirst());
    }

    /// Returns the name of a weight in a layer of Llama, without the start of the layer's names.
    ///
    /// @throws IllegalArgumentException if such a layer does not have the weight
    static String inPlainLayer(Weight weight) {
        return table("llama").patterns.getOrDefault(weight, List.of()).stream()
                .filter(pattern -> pattern.startsWith("{layer}") && !pattern.endsWith("if:results"))
                .findFirst()
                .map(pattern -> words(pattern)[0].substring("{layer}".length()))
                .orElseThrow(() ->
                        new IllegalArgumentException(weight + " has no name in a plain layer"));
    }

    private static String[] words(String pattern) {
        return pattern.split(" ", -1);
    }

    @Override
    public List<String> names(Weight weight, int number) {
        return parts(weight, number).stream().map(TensorPart::name).toList();
    }

    @Override
    public List<TensorPart> parts(Weight weight, int number) {
        int layer = weight.layer(config, number);
        int expert = number - weight.first(config, layer);
        for (var pattern : table.patterns.getOrDefault(weight, List.of())) {
            var words =
                    words(
                            pattern.replace("{layer}", table.layer)
                                    .replace("{stack}", stack)
                                    .replace("{head}", head)
                                    .replace("{number}", Integer.toString(layer))
                                    .replace("{expert}", Integer.toString(expert)));
            if (Arrays.stream(words).allMatch(this::holds)) {
                return part(words, weight, number, expert);
            }
        }
        return List.of();
    }

    /// Returns whether a word of a pattern is a fulfilled condition, or not a condition.
    private boolean holds(String word) {
        if (word.startsWith("unless:")) {
            return !holds("if:" + word.substring("unless:".length()));
        }
        var fact = word.substring(word.indexOf(':') + 1);
        return !word.startsWith("if:") || facts.contains(fact) || names.contains(fact);
    }

    private List<TensorPart> part(String[] words, Weight weight, int number, int expert) {
        var part = TensorPart.whole(words[0]);
        long rows = weight.shape(config, number)[0];
        for (var word : words) {
            if (word.startsWith("rows:")) {
                part = rows(words[0], word.substring("rows:".length()), rows);
            } else if (word.equals("transposed") || word.equals("lying") && !inBlocks(words[0])) {
                part = part.asTransposed();
            } else if (word.equals("paired") && interleaved) {
                part =
                        (part.whole() ? TensorPart.slice(words[0], rows, 0, rows) : part)
                                .asPaired(config.headSize());
            } else if (word.equals("stacked")) {
                var experts = config.form().feedForward().experts();
                if (experts.isEmpty()) {
                    return List.of();
                }
                part = part.asStacked(experts.get().count(), expert);
            }
        }
        return List.of(part);
    }

    private boolean inBlocks(String name) {
        return names.contains(name + "_blocks") || names.contains(name + "_scales");
    }

    private TensorPart rows(String name, String which, long rows) {
        long size = config.headSize();
        long queries = size * config.heads();
        long keys = size * config.keyValueHeads();
        long inner = config.intermediateSize();
        return switch (which) {
            case "all" -> TensorPart.slice(name, rows, 0, rows);
            case "query" -> TensorPart.slice(name, queries + 2 * keys, 0, queries);
            case "key" -> TensorPart.slice(name, queries + 2 * keys, queries, keys);
            case "value" -> TensorPart.slice(name, queries + 2 * keys, queries + keys, keys);
            case "gate" -> TensorPart.slice(name, 2 * inner, 0, inner);
            case "up" -> TensorPart.slice(name, 2 * inner, inner, inner);
            case "even" -> new TensorPart(name, 2 * rows, 0, 1, 2, false);
            case "odd" -> new TensorPart(name, 2 * rows, 1, 1, 2, false);
            case "query-of-heads" -> ofHeads(name, 0);
            case "key-of-heads" -> ofHeads(name, size);
            case "value-of-heads" -> ofHeads(name, 2 * size);
            default -> throw new IllegalStateException("rows " + which);
        };
    }

    private TensorPart ofHeads(String name, long first) {
        long size = config.headSize();
        return new TensorPart(name, 3 * size * config.heads(), first, size, 3 * size, false);
    }

    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return table.llama
                ? mayStayUnreadInLlama(name, all)
                : table.unread.stream().anyMatch(pattern -> matches(name, pattern));
    }

    private static boolean matches(String name, String pattern) {
        if (pattern.startsWith("!")) {
            return !matches(name, pattern.substring(1));
        }
        if (pattern.startsWith("*")) {
            return name.endsWith(pattern.substring(1));
        }
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    /// Returns whether a tensor need not be read: angles in older files; a head if the embedding is tied and read instead;
    /// modules that predict further tokens, which are drafters; tensors outside the decoder, such as those for images.
    private boolean mayStayUnreadInLlama(String name, Set<String> all) {
        boolean ofDecoder =
                name.startsWith(stack)
                        || name.startsWith(head.substring(0, head.lastIndexOf('.') + 1));
        return !ofDecoder
                || name.equals(head)
                || name.endsWith(ANGLES)
                || name.startsWith(stack + "mtp_layers.")
                || name.startsWith("mtp.")
                || name.startsWith("mtp_layers.")
                || all.contains(startOfLayer(name) + MODULE);
    }

    /// Returns the prefix of the names of a layer's tensors, `…layers.7.`, from any of its names.
    private String startOfLayer(String name) {
        int number = (stack + "layers.").length();
        int end = name.startsWith(stack + "layers.") ? name.indexOf('.', number) : -1;
        return name.substring(0, end + 1);
    }
}
