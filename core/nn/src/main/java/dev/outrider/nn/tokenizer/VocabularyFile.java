package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a `tokenizer.json` says, as far as Outrider reads it itself.
///
/// @param path         where it was read, for messages
/// @param json         the file without truncation and padding, which Outrider never wants
/// @param pieces       spelling by id; ids that the file leaves out have an empty one
/// @param byteFallback whether the decoder joins runs of pieces such as `<0xE2>` into characters
/// @param digest       see [dev.outrider.spi.target.Tokenizer#digest()]
record VocabularyFile(
        Path path,
        String json,
        List<Optional<String>> pieces,
        boolean byteFallback,
        String digest) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectMapper CANONICAL =
            new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    /// Ids above this are taken for damage; the largest vocabularies in use have under 300 000 pieces.
    private static final int LARGEST_ID = 16_777_215;

    private static final String REMEDY =
            "Use the tokenizer.json that belongs to the model, in the format of the Hugging Face tokenizers library.";

    VocabularyFile {
        pieces = List.copyOf(pieces);
    }

    static VocabularyFile read(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new OutriderException(
                    ErrorCode.TOKENIZER_MISSING,
                    "no tokenizer at '%s'".formatted(path),
                    "Put the model's tokenizer.json there, or make one with 'outrider tokenizer train'.");
        }
        JsonNode tree;
        try {
            tree = MAPPER.readTree(Files.readAllBytes(path));
        } catch (JsonProcessingException e) {
            throw invalid(path, "is not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw invalid(path, "cannot be read: " + e.getMessage(), e);
        }
        if (!(tree instanceof ObjectNode root)) {
            throw invalid(path, "is not a JSON object");
        }
        root.set("truncation", JsonNodeFactory.instance.nullNode());
        root.set("padding", JsonNodeFactory.instance.nullNode());
        var pieces = pieces(path, root);
        return new VocabularyFile(
                path,
                root.toString(),
                pieces,
                mentions(root.path("decoder"), "ByteFallback"),
                digest(root));
    }

    static OutriderException invalid(Path path, String problem) {
        return new OutriderException(ErrorCode.TOKENIZER_INVALID, sentence(path, problem), REMEDY);
    }

    static OutriderException invalid(Path path, String problem, Throwable cause) {
        return new OutriderException(
                ErrorCode.TOKENIZER_INVALID, sentence(path, problem), REMEDY, cause);
    }

    private static String sentence(Path path, String problem) {
        return "tokenizer '%s' %s".formatted(path, problem);
    }

    private static List<Optional<String>> pieces(Path path, ObjectNode root) {
        var byId = new HashMap<Integer, String>();
        var vocab = root.path("model").path("vocab");
        if (vocab.isObject()) {
            for (var entry : vocab.properties()) {
                byId.put(id(path, entry.getValue(), entry.getKey()), entry.getKey());
            }
        } else if (vocab.isArray()) {
            for (int id = 0; id < vocab.size(); id++) {
                byId.put(id, vocab.get(id).path(0).asText());
            }
        } else {
            throw invalid(path, "has no model.vocab");
        }
        for (var token : root.path("added_tokens")) {
            var content = token.path("content").asText();
            byId.put(id(path, token.path("id"), content), content);
        }
        if (byId.isEmpty()) {
            throw invalid(path, "has an empty vocabulary");
        }
        return dense(byId);
    }

    private static int id(Path path, JsonNode value, String piece) {
        if (!value.isInt() || value.intValue() < 0 || value.intValue() > LARGEST_ID) {
            throw invalid(
                    path,
                    "gives the piece '%s' the id %s; expected an integer from 0 to %d"
                            .formatted(
                                    piece, value.isMissingNode() ? "(none)" : value, LARGEST_ID));
        }
        return value.intValue();
    }

    private static List<Optional<String>> dense(Map<Integer, String> byId) {
        int size = byId.keySet().stream().mapToInt(id -> id).max().orElseThrow() + 1;
        var pieces = new ArrayList<Optional<String>>(size);
        for (int id = 0; id < size; id++) {
            pieces.add(Optional.ofNullable(byId.get(id)));
        }
        return pieces;
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

    /// Key order and the two spellings of a merge do not matter.
    private static String digest(ObjectNode root) {
        var copy = root.deepCopy();
        copy.remove("version");
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
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a JSON tree cannot be digested", e);
        }
    }
}
