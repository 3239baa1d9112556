package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.gguf.GgufMetadata;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/// Converts the tokenizer of a GGUF file to a `tokenizer.json`: byte vocabularies with merges
/// (`gpt2`), and SentencePiece vocabularies with scores (`llama`).
///
/// @see "llama.cpp, src/llama-vocab.cpp; Sennrich et al. 2016 (BPE); Kudo and Richardson 2018
///     (SentencePiece)"
final class GgufTokenizer {
    /// Start of its keys.
    static final String STEM = "tokenizer.ggml.";

    private static final String SPACE = "▁";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /// Numbers of token types.
    static final int NORMAL = 1;

    static final int CONTROL = 3;
    static final int USER_DEFINED = 4;
    private static final int UNUSED = 5;
    private static final int UNKNOWN = 2;

    /// Twelve times the largest published vocabularies.
    private static final long MAX_SQUARES = 1 << 28;

    private final GgufMetadata metadata;
    private final List<String> tokens;
    private final List<Integer> kinds;
    private final Map<String, Integer> ids = new HashMap<>();

    private GgufTokenizer(GgufMetadata metadata) {
        this.metadata = metadata;
        tokens = metadata.texts(STEM + "tokens");
        kinds = metadata.naturals(STEM + "token_type");
        if (tokens.isEmpty() || !kinds.isEmpty() && kinds.size() != tokens.size()) {
            throw invalid(
                    "has %d tokens with %d types; expected as many, and at least one"
                            .formatted(tokens.size(), kinds.size()));
        }
        for (int id = 0; id < tokens.size(); id++) {
            if (kind(id) != UNUSED && ids.putIfAbsent(tokens.get(id), id) != null) {
                throw invalid("has the token '%s' twice".formatted(tokens.get(id)));
            }
        }
    }

    /// @throws OutriderException `TOKENIZER_INVALID` if it is of another kind, or impossible
    static ObjectNode json(GgufMetadata metadata) {
        var made = new GgufTokenizer(metadata);
        var kind = metadata.text(STEM + "model").orElse("none");
        return switch (kind) {
            case "gpt2" -> made.ofBytes();
            case "llama" -> made.sentencePiece();
            default ->
                    throw made.invalid(
                            "is of the kind '%s' (%smodel); expected gpt2 or llama"
                                    .formatted(kind, STEM));
        };
    }

    private int kind(int id) {
        return kinds.isEmpty() ? NORMAL : kinds.get(id);
    }

    private ObjectNode ofBytes() {
        var stated = metadata.text(STEM + "pre");
        if (stated.isEmpty()) {
            LoggerFactory.getLogger(GgufTokenizer.class)
                    .warn(
                            "'{}' does not say how texts are cut ({}pre); its tokens may be others than the model's",
                            metadata.path(),
                            STEM);
        }
        var name = stated.orElse("default");
        var cut =
                PreTokenizer.named(name)
                        .orElseThrow(() ->
                                invalid(
                                        "cuts texts by the rule '%s' (%spre); expected one of %s"
                                                .formatted(
                                                        name,
                                                        STEM,
                                                        String.join(", ", PreTokenizer.known()))));
        var root = root(cut.wholeWords());
        if (cut.composes()) {
            root.putObject("normalizer").put("type", "NFC");
        }
        cut.write(root);
        PreTokenizer.bytes(root.putObject("decoder"), true);
        var model = model(root).put("ignore_merges", cut.wholeWords());
        var merges = model.putArray("merges");
        metadata.texts(STEM + "merges").forEach(merges::add);
        return root;
    }

    private ObjectNode sentencePiece() {
        boolean prefix = metadata.truth(STEM + "add_space_prefix").orElse(true);
        var root = root(true);
        var steps = root.putObject("normalizer").put("type", "Sequence").putArray("normalizers");
        if (prefix) {
            steps.addObject().put("type", "Prepend").put("prepend", SPACE);
        }
        replace(steps.addObject(), " ", SPACE);
        var back = root.putObject("decoder").put("type", "Sequence").putArray("decoders");
        replace(back.addObject(), SPACE, " ");
        back.addObject().put("type", "ByteFallback");
        back.addObject().put("type", "Fuse");
        if (prefix) {
            back.addObject()
                    .put("type", "Strip")
                    .put("content", " ")
                    .put("start", 1)
                    .put("stop", 0);
        }
        var model = model(root).put("byte_fallback", true).put("fuse_unk", true);
        unknown().ifPresent(token -> model.put("unk_token", token));
        merges(model.putArray("merges"));
        return root;
    }

    private static void replace(ObjectNode node, String from, String to) {
        node.put("type", "Replace").put("content", to).putObject("pattern").put("String", from);
    }

    private Optional<String> unknown() {
        var id = metadata.natural(STEM + "unknown_token_id");
        return id.isPresent() && id.getAsInt() < tokens.size()
                ? Optional.of(tokens.get(id.getAsInt()))
                : Optional.empty();
    }

    /// Adds every way to make a piece of two, the best score first.
    private void merges(ArrayNode merges) {
        var scores = metadata.numbers(STEM + "scores");
        if (scores.size() != tokens.size()) {
            throw invalid("has %d scores for %d tokens".formatted(scores.size(), tokens.size()));
        }
        var order = new ArrayList<Integer>();
        for (int id = 0; id < tokens.size(); id++) {
            if (kind(id) == NORMAL || kind(id) == USER_DEFINED) {
                order.add(id);
            }
        }
        requireShort(order);
        order.sort(Comparator.comparing((Integer id) -> scores.get(id)).reversed());
        for (int id : order) {
            halves(tokens.get(id)).forEach(half -> pair(merges, tokens.get(id), half));
        }
    }

    /// Every split of a piece is tried, which costs the square of its length.
    private void requireShort(List<Integer> pieces) {
        long squares = 0;
        for (int id : pieces) {
            long length = tokens.get(id).length();
            squares += length * length;
        }
        if (squares > MAX_SQUARES) {
            throw invalid(
                    "has pieces too long to be cut: the squares of their lengths sum to %d; expected at most %d"
                            .formatted(squares, MAX_SQUARES));
        }
    }

    /// Returns the positions where a piece can be split into two others.
    private List<Integer> halves(String piece) {
        var cuts = new ArrayList<Integer>();
        for (int at = 1; at < piece.length(); at++) {
            if (!Character.isLowSurrogate(piece.charAt(at))
                    && ids.containsKey(piece.substring(0, at))
                    && ids.containsKey(piece.substring(at))) {
                cuts.add(at);
            }
        }
        cuts.sort(
                Comparator.comparing((Integer at) -> ids.get(piece.substring(0, at)))
                        .thenComparing(at -> ids.get(piece.substring(at))));
        return cuts;
    }

    private static void pair(ArrayNode merges, String piece, int at) {
        merges.addArray().add(piece.substring(0, at)).add(piece.substring(at));
    }

    /// Returns the parts that all tokenizers have.
    ///
    /// @param begins default of whether texts begin with a token
    private ObjectNode root(boolean begins) {
        var root = JSON.objectNode().put("version", "1.0");
        var added = root.putArray("added_tokens");
        for (int id = 0; id < tokens.size(); id++) {
            int kind = kind(id);
            if (kind == CONTROL || kind == UNKNOWN || kind == USER_DEFINED) {
                TokenizerTree.added(added, id, tokens.get(id), kind != USER_DEFINED);
            }
        }
        TokenizerTree.addSpecialTokens(root, framing("bos", begins), framing("eos", false));
        return root;
    }

    private Optional<Map.Entry<String, Integer>> framing(String which, boolean otherwise) {
        boolean wanted = metadata.truth("%sadd_%s_token".formatted(STEM, which)).orElse(otherwise);
        var id = metadata.natural("%s%s_token_id".formatted(STEM, which));
        if (!wanted || id.isEmpty()) {
            return Optional.empty();
        }
        if (id.getAsInt() >= tokens.size()) {
            throw invalid(
                    "has the %s token %d of %d tokens"
                            .formatted(which, id.getAsInt(), tokens.size()));
        }
        return Optional.of(Map.entry(tokens.get(id.getAsInt()), id.getAsInt()));
    }

    /// Padding ids of the model have no piece.
    private ObjectNode model(ObjectNode root) {
        var model = root.putObject("model").put("type", "BPE");
        var vocab = model.putObject("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            if (kind(id) != UNUSED) {
                vocab.put(tokens.get(id), id);
            }
        }
        return model;
    }

    private OutriderException invalid(String problem) {
        return VocabularyFile.invalid(metadata.path(), problem);
    }
}
