package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The parts of a `tokenizer.json` that the native library does not tell: spellings and identity.
///
/// @param pieces spelling by id; ids are `0 .. pieces.size() - 1`, gaps are empty
/// @param digest lower-case hexadecimal SHA-256 of everything that decides about ids
record VocabularyFile(List<String> pieces, String digest) {
    private static final int LARGEST_VOCABULARY = 4_000_000;
    private static final List<String> DECIDES_IDS =
            List.of("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "model");

    VocabularyFile {
        pieces = List.copyOf(pieces);
    }

    static VocabularyFile read(Path file) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(file.toFile());
        } catch (IOException e) {
            throw invalid(file, "is not JSON: " + String.valueOf(e.getMessage()), e);
        }
        var byId = new TreeMap<Integer, String>();
        var vocabulary = root.path("model").path("vocab");
        if (vocabulary.isObject()) {
            vocabulary
                    .properties()
                    .forEach(entry -> put(file, byId, entry.getValue(), entry.getKey()));
        } else if (vocabulary.isArray()) {
            for (int id = 0; id < vocabulary.size(); id++) {
                byId.put(id, vocabulary.get(id).path(0).asText());
            }
        } else {
            throw invalid(file, "has no model.vocab", null);
        }
        root.path("added_tokens")
                .forEach(
                        token -> put(file, byId, token.path("id"), token.path("content").asText()));
        if (byId.isEmpty()) {
            throw invalid(file, "has an empty vocabulary", null);
        }
        var pieces = new String[byId.lastKey() + 1];
        for (int id = 0; id < pieces.length; id++) {
            pieces[id] = byId.getOrDefault(id, "");
        }
        return new VocabularyFile(List.of(pieces), digestOf(root));
    }

    private static void put(Path file, TreeMap<Integer, String> byId, JsonNode id, String piece) {
        if (!id.canConvertToInt() || id.asInt() < 0 || id.asInt() >= LARGEST_VOCABULARY) {
            throw invalid(file, "gives token '%s' the id %s".formatted(piece, id), null);
        }
        byId.put(id.asInt(), piece);
    }

    private static String digestOf(JsonNode root) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var part : DECIDES_IDS) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update(root.path(part).toString().getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static OutriderException invalid(Path file, String problem, @Nullable Throwable cause) {
        var message = "tokenizer '%s' %s".formatted(file, problem);
        var remedy =
                "Use the tokenizer.json that belongs to the model, in the format of the Hugging Face tokenizers library.";
        return cause == null
                ? new OutriderException(ErrorCode.TOKENIZER_INVALID, message, remedy)
                : new OutriderException(ErrorCode.TOKENIZER_INVALID, message, remedy, cause);
    }
}
