package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Sha256;
import dev.outrider.nn.checkpoint.CheckpointJson;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The content of a `tokenizer.json` that Outrider itself reads.
///
/// @param path         where it was read, for messages
/// @param kind         kind of model in the file: `BPE`, `Unigram`, `WordPiece` or `WordLevel`
/// @param json         the checked copy for the tokenizers library
/// @param pieces       spelling by id; empty for unused ids
/// @param added        ids of the added tokens
/// @param longestText  bytes of the longest text that can be encoded at once
/// @param byteFallback whether the decoder joins runs of pieces such as `<0xE2>` into characters
/// @param digest       see [dev.outrider.spi.target.Tokenizer#digest()]
record VocabularyFile(
        Path path,
        String kind,
        String json,
        List<Optional<String>> pieces,
        Set<Integer> added,
        long longestText,
        boolean byteFallback,
        String digest) {
    private static final ObjectMapper CANONICAL =
            new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private static final String REMEDY =
            "Use the tokenizer.json that belongs to the model, in the format of the Hugging Face tokenizers library.";

    VocabularyFile {
        pieces = List.copyOf(pieces);
        added = Set.copyOf(added);
    }

    static VocabularyFile read(Path path) {
        if (!Files.isRegularFile(path)) {
            throw ErrorCode.TOKENIZER_MISSING.error(
                    "no tokenizer at '%s'".formatted(path),
                    "Put the model's tokenizer.json there, or make one with 'outrider tokenizer train'.");
        }
        JsonNode tree;
        try {
            tree = CheckpointJson.read(path);
        } catch (JsonProcessingException e) {
            throw invalid(path, "is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw invalid(path, "cannot be read: " + FailureReason.of(e), e);
        }
        if (!(tree instanceof ObjectNode root)) {
            throw invalid(path, "is not a JSON object");
        }
        // Tokens around a text are added from settings that belong to a checkpoint; they change no
        // token of the text.
        var digest = digest(root);
        var settings = path.resolveSibling("tokenizer_config.json");
        if (Files.isRegularFile(settings)) {
            TokenizerTree.addSpecialTokensAsConfigured(root, settings);
        }
        return of(path, root, digest);
    }

    /// Returns the content of a tree that was converted.
    static VocabularyFile of(Path path, ObjectNode root) {
        return of(path, root, digest(root));
    }

    private static VocabularyFile of(Path path, ObjectNode root, String digest) {
        withoutLimits(root);
        var file = new Part(path, "", root, JsonNodeFactory.instance.objectNode());
        var vocabulary = new Vocabulary(file);
        var growth = new Growth();
        var added = check(file, vocabulary, growth);
        return new VocabularyFile(
                path,
                root.path("model").path("type").asText("BPE"),
                file.out().toString(),
                vocabulary.byId(),
                added,
                growth.longestText(),
                mentions(root.path("decoder"), "ByteFallback"),
                digest);
    }

    /// No text is truncated or padded.
    private static void withoutLimits(ObjectNode root) {
        root.set("truncation", JsonNodeFactory.instance.nullNode());
        root.set("padding", JsonNodeFactory.instance.nullNode());
    }

    /// Fills the checked copy for the native library. Some untrusted files would make the library abort the process or run for
    /// ever; this method accepts no such file.
    ///
    /// @return ids of the added tokens
    private static Set<Integer> check(Part file, Vocabulary vocabulary, Growth growth) {
        var model = file.part("model");
        ModelChecks.addPieces(model, vocabulary);
        var normalizers = new NormalizerChecks(growth);
        component(file, "normalizer", normalizers::check);
        var added = AddedTokenChecks.check(file, vocabulary, normalizers);
        if (vocabulary.size() == 0) {
            throw file.refused("has an empty vocabulary");
        }
        ModelChecks.check(model, vocabulary);
        component(file, "pre_tokenizer", part -> SplittingChecks.checkPreTokenizer(part, growth));
        component(file, "post_processor", new PostProcessorChecks(vocabulary, growth)::check);
        var decoded = new Growth();
        component(file, "decoder", part -> SplittingChecks.checkDecoder(part, decoded));
        if (decoded.squareSteps > 0) {
            throw file.refused(
                    "has in decoder an expression that takes the square of a text's length; expected linear ones, since decoded texts have no bound");
        }
        return added;
    }

    private static void component(Part file, String name, Consumer<Part> check) {
        if (file.has(name)) {
            check.accept(file.part(name));
        }
    }

    static OutriderException invalid(Path path, String problem) {
        return ErrorCode.TOKENIZER_INVALID.error(sentence(path, problem), REMEDY);
    }

    static OutriderException invalid(Path path, String problem, Throwable cause) {
        return ErrorCode.TOKENIZER_INVALID.error(sentence(path, problem), REMEDY, cause);
    }

    private static String sentence(Path path, String problem) {
        return "tokenizer '%s' %s".formatted(path, problem);
    }

    private static boolean mentions(JsonNode decoder, String type) {
        if (decoder.path("type").asText().equals(type)) {
            return true;
        }
        for (var part : decoder.path("decoders")) {
            if (mentions(part, type)) {
                return true;
            }
        }
        return false;
    }

    /// The digest does not depend on the order of keys or on the spelling of merges.
    private static String digest(ObjectNode root) {
        var copy = root.deepCopy();
        copy.remove("version");
        withoutLimits(copy);
        if (copy.path("model") instanceof ObjectNode model && model.path("merges").isArray()) {
            var merges = model.path("merges");
            var joined = JsonNodeFactory.instance.arrayNode();
            for (var merge : merges) {
                joined.add(
                        merge.isArray()
                                ? merge.path(0).asText() + " " + merge.path(1).asText()
                                : merge.asText());
            }
            model.set("merges", joined);
        }
        try {
            var canonical = CANONICAL.writeValueAsBytes(CANONICAL.convertValue(copy, Object.class));
            return new Sha256().add(ByteBuffer.wrap(canonical)).hex();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree cannot be digested", e);
        }
    }

    /// Pieces and their ids: every piece has one id, and every id at most one piece.
    static final class Vocabulary {
        /// Larger ids are refused as damage; the largest published vocabularies have fewer than
        /// 300,000 pieces.
        private static final int LARGEST_ID = 16_777_215;

        private final Part file;
        private final Map<Integer, String> pieces = new HashMap<>();
        private final Map<String, Integer> ids = new HashMap<>();

        Vocabulary(Part file) {
            this.file = file;
        }

        void add(JsonNode id, String piece) {
            if (!id.isInt() || id.intValue() < 0 || id.intValue() > LARGEST_ID) {
                throw file.refused(
                        "gives the piece '%s' the id %s; expected an integer from 0 to %d"
                                .formatted(piece, id.isMissingNode() ? "(none)" : id, LARGEST_ID));
            }
            add(id.intValue(), piece);
        }

        void add(int id, String piece) {
            var other = pieces.putIfAbsent(id, piece);
            if (other != null && !other.equals(piece)) {
                throw file.refused(
                        "gives both '%s' and '%s' the id %d".formatted(other, piece, id));
            }
            var before = ids.putIfAbsent(piece, id);
            if (before != null && before != id) {
                throw file.refused(
                        "gives the piece '%s' the ids %d and %d".formatted(piece, before, id));
            }
        }

        Optional<Integer> id(String piece) {
            return Optional.ofNullable(ids.get(piece));
        }

        boolean is(int id, String piece) {
            return piece.equals(pieces.get(id));
        }

        int size() {
            return pieces.size();
        }

        /// Returns the spelling by id; empty for unused ids.
        List<Optional<String>> byId() {
            int size = pieces.keySet().stream().mapToInt(id -> id).max().orElse(-1) + 1;
            var dense = new ArrayList<Optional<String>>(size);
            for (int id = 0; id < size; id++) {
                dense.add(Optional.ofNullable(pieces.get(id)));
            }
            return dense;
        }
    }

    /// A component of a `tokenizer.json`. Every value that is read is checked and written to a
    /// copy; only the copy is given to the tokenizers library, whose panics end the process.
    ///
    /// @param path  the file, for messages
    /// @param where the component, such as `normalizer.normalizers[1]`; empty for the whole file
    /// @param in    the file's content
    /// @param out   the copy
    record Part(Path path, String where, JsonNode in, ObjectNode out) {
        /// Returns the component's kind.
        ///
        /// @param known all kinds
        String type(List<String> known) {
            if (!in.isObject()) {
                throw refused("has %s = %s; expected an object".formatted(where, brief(in)));
            }
            return oneOf("type", known);
        }

        String oneOf(String key, List<String> known) {
            var value = in.path(key);
            if (!value.isTextual() || !known.contains(value.textValue())) {
                throw wrong(key, "one of " + String.join(", ", known));
            }
            out.put(key, value.textValue());
            return value.textValue();
        }

        boolean truth(String key) {
            if (!in.path(key).isBoolean()) {
                throw wrong(key, "true or false");
            }
            out.put(key, in.path(key).booleanValue());
            return in.path(key).booleanValue();
        }

        boolean truth(String key, boolean otherwise) {
            if (has(key)) {
                return truth(key);
            }
            out.put(key, otherwise);
            return otherwise;
        }

        String text(String key) {
            if (!in.path(key).isTextual()) {
                throw wrong(key, "a string");
            }
            out.put(key, in.path(key).textValue());
            return in.path(key).textValue();
        }

        /// Returns a string, or `otherwise`.
        String text(String key, String otherwise) {
            return has(key) ? text(key) : otherwise;
        }

        /// Returns one character.
        String character(String key) {
            var value = text(key);
            if (value.codePointCount(0, value.length()) != 1) {
                throw wrong(key, "one character");
            }
            return value;
        }

        int integer(String key, int least, int most) {
            var value = in.path(key);
            if (!value.isInt() || value.intValue() < least || value.intValue() > most) {
                throw wrong(key, "an integer from %d to %d".formatted(least, most));
            }
            out.put(key, value.intValue());
            return value.intValue();
        }

        /// Returns components of this one; their copies are already in its copy.
        List<Part> parts(String key) {
            if (!in.path(key).isArray()) {
                throw wrong(key, "a list");
            }
            var copies = out.putArray(key);
            var parts = new ArrayList<Part>();
            for (var element : in.path(key)) {
                parts.add(
                        new Part(
                                path,
                                "%s[%d]".formatted(within(key), parts.size()),
                                element,
                                copies.addObject()));
            }
            return parts;
        }

        /// Returns an object in this one.
        Part part(String key) {
            return new Part(path, within(key), in.path(key), out.putObject(key));
        }

        boolean has(String key) {
            return !in.path(key).isMissingNode() && !in.path(key).isNull();
        }

        OutriderException wrong(String key, String expected) {
            return refused(
                    "has %s = %s; expected %s"
                            .formatted(within(key), brief(in.path(key)), expected));
        }

        OutriderException refused(String problem) {
            return VocabularyFile.invalid(path, problem);
        }

        private String within(String key) {
            return where.isEmpty() ? key : where + "." + key;
        }

        private static String brief(JsonNode value) {
            var text = value.isMissingNode() ? "(none)" : value.toString();
            return text.length() <= 200 ? text : text.substring(0, 200) + "...";
        }
    }

    /// The maximum factor by which a text grows in a tokenizer's components, and their maximum
    /// cost.
    static final class Growth {
        /// Published tokenizers stay below 70: compatibility forms (11), spaces of three bytes, a byte alphabet (2).
        private static final double MAX = 128;

        private static final int MAX_PARTS = 64;

        /// After ten million backtracking steps at one position the library's matcher fails and
        /// ends the process.
        private static final long STEPS_BACK = 8L << 20;

        private static final long MAX_BYTES = 16L << 20;

        /// Steps that the library's matcher does in about a second.
        private static final double MAX_STEPS = 1e8;

        private double factor = 1;
        private int parts;
        private boolean stepsBack;
        private double squareSteps;

        /// Records that a component makes a text up to `times` times as long, in bytes.
        void by(Part part, double times) {
            factor *= times;
            if (factor > MAX) {
                throw part.refused(
                        "makes a text up to %.0f times as long by %s; expected at most %.0f times"
                                .formatted(factor, part.where(), MAX));
            }
        }

        /// Records one more component.
        void count(Part part) {
            if (++parts > MAX_PARTS) {
                throw part.refused(
                        "has more than %d components, among them %s"
                                .formatted(MAX_PARTS, part.where()));
            }
        }

        /// Records an expression that is matched against the text, at its length so far.
        void matches(BoundedExpression expression) {
            stepsBack |= expression.stepsBack();
            squareSteps += expression.squareSteps() * factor * factor;
        }

        /// Returns the longest text, in bytes of UTF-8, that can be encoded at once.
        long longestText() {
            double linear = (stepsBack ? STEPS_BACK : MAX_BYTES) / factor;
            return (long) Math.min(linear, Math.sqrt(MAX_STEPS / squareSteps));
        }
    }
}
