package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.checkpoint.CheckpointJson;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// What a `tokenizer.json` says, as far as Outrider reads it itself.
///
/// @param path         where it was read, for messages
/// @param kind         how it cuts words, as the file calls it: `BPE`, `Unigram`, `WordPiece` or `WordLevel`
/// @param json         what of the file the tokenizers library is shown: all of it that has a meaning, checked
/// @param pieces       spelling by id; ids that the file leaves out have an empty one
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
            throw new OutriderException(
                    ErrorCode.TOKENIZER_MISSING,
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
        return of(path, root);
    }

    /// What a tree says that was read from a file, or made of what a file says.
    static VocabularyFile of(Path path, ObjectNode root) {
        root.set("truncation", JsonNodeFactory.instance.nullNode());
        root.set("padding", JsonNodeFactory.instance.nullNode());
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
                digest(root));
    }

    /// Fills the copy, which is all that the library is shown.
    ///
    /// @return ids of the added tokens
    private static Set<Integer> check(Part file, Vocabulary vocabulary, Growth growth) {
        var model = file.part("model");
        Models.addPieces(model, vocabulary);
        var normalizers = new Normalizers(growth);
        component(file, "normalizer", normalizers::check);
        var added = AddedTokens.check(file, vocabulary, normalizers);
        if (vocabulary.size() == 0) {
            throw file.refused("has an empty vocabulary");
        }
        Models.check(model, vocabulary);
        component(file, "pre_tokenizer", part -> PreTokenizers.check(part, growth));
        component(file, "post_processor", new PostProcessors(vocabulary, growth)::check);
        component(file, "decoder", part -> Decoders.check(part, new Growth()));
        return added;
    }

    private static void component(Part file, String name, Consumer<Part> check) {
        if (file.has(name)) {
            check.accept(file.part(name));
        }
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
