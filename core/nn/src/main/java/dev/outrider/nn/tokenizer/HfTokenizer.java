package dev.outrider.nn.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/// A tokenizer read from a Hugging Face `tokenizer.json`, run by the native tokenizers library. Nothing is
/// downloaded and no text is truncated or padded.
///
/// Thread-safe. Owner: whoever loaded it; closing while another thread uses it is the caller's error.
public final class HfTokenizer implements Tokenizer, AutoCloseable {
    private final VocabularyFile file;
    private final HuggingFaceTokenizer tokenizer;
    private final Map<String, Integer> ids;

    private HfTokenizer(VocabularyFile file, HuggingFaceTokenizer tokenizer) {
        this.file = file;
        this.tokenizer = tokenizer;
        ids = new HashMap<>();
        for (int id = 0; id < file.pieces().size(); id++) {
            int thisId = id;
            file.pieces().get(id).ifPresent(piece -> ids.put(piece, thisId));
        }
    }

    /// Loads a tokenizer.
    ///
    /// @param path the file, or the directory of a checkpoint that holds a `tokenizer.json`
    /// @throws OutriderException `TOKENIZER_MISSING` or `TOKENIZER_INVALID`
    public static HfTokenizer load(Path path) {
        var file =
                VocabularyFile.read(
                        Files.isDirectory(path) ? path.resolve("tokenizer.json") : path);
        stayOffline();
        var json = new ByteArrayInputStream(file.json().getBytes(StandardCharsets.UTF_8));
        var options =
                Map.of("truncation", "false", "padding", "false", "addSpecialTokens", "false");
        try {
            return new HfTokenizer(file, HuggingFaceTokenizer.newInstance(json, options));
        } catch (IOException | RuntimeException e) {
            throw VocabularyFile.invalid(
                    file.path(), "is refused by the tokenizers library: " + e.getMessage(), e);
        } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
            throw new OutriderException(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "the native tokenizers library does not load: " + e.getMessage(),
                    "Use Linux, macOS or Windows on x86-64 or ARM64, and let DJL_CACHE_DIR name a directory that"
                            + " can be written to.",
                    e);
        }
    }

    /// The library reports its use over the network unless told not to, before its first call.
    private static void stayOffline() {
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        if (System.getProperty("OPT_OUT_TRACKING") == null) {
            System.setProperty("OPT_OUT_TRACKING", "true");
        }
    }

    @Override
    public int vocabularySize() {
        return file.pieces().size();
    }

    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        var encoded = tokenizer.encode(text, addSpecialTokens, false).getIds();
        var result = new int[encoded.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = Math.toIntExact(encoded[i]);
        }
        return result;
    }

    /// Ids of padding rows, which only the model's vocabulary has, decode to nothing.
    ///
    /// @throws OutriderException `TOKEN_OUT_OF_RANGE` if an id is negative
    @Override
    public String decode(int[] tokens) {
        var wide = new long[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] < 0) {
                throw new OutriderException(
                        ErrorCode.TOKEN_OUT_OF_RANGE,
                        "token id %d at position %d is negative; expected ids from 0 to %d"
                                .formatted(tokens[i], i, vocabularySize() - 1),
                        "Decode ids that this tokenizer or its model produced.");
            }
            wide[i] = tokens[i];
        }
        return wide.length == 0 ? "" : tokenizer.decode(wide, true);
    }

    /// Ids that the vocabulary leaves out are spelled `[unused]`.
    @Override
    public String piece(int id) {
        return file.pieces().get(id).orElse("[unused]");
    }

    /// The id of a piece as the vocabulary spells it, special tokens included.
    public OptionalInt id(String piece) {
        var id = ids.get(piece);
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    @Override
    public TokenStream stream() {
        return new WindowedStream(this, file.byteFallback());
    }

    @Override
    public String digest() {
        return file.digest();
    }

    /// Frees the native tokenizer. Idempotent.
    @Override
    public void close() {
        tokenizer.close();
    }
}
