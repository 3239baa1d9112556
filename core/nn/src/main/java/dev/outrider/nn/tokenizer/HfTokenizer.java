package dev.outrider.nn.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.Tokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/// A `tokenizer.json` of the Hugging Face tokenizers library, run by its native code.
///
/// Thread-safe. Owns native memory.
public final class HfTokenizer implements Tokenizer, AutoCloseable {
    private final HuggingFaceTokenizer tokenizer;
    private final VocabularyFile vocabulary;

    private HfTokenizer(HuggingFaceTokenizer tokenizer, VocabularyFile vocabulary) {
        this.tokenizer = tokenizer;
        this.vocabulary = vocabulary;
    }

    /// Loads a tokenizer.
    ///
    /// @param file a `tokenizer.json`
    /// @throws OutriderException `TOKENIZER_MISSING` or `TOKENIZER_INVALID`
    public static HfTokenizer load(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new OutriderException(
                    ErrorCode.TOKENIZER_MISSING,
                    "no tokenizer at '%s'".formatted(file),
                    "Put the model's tokenizer.json there, or make one with 'outrider tokenizer train'.");
        }
        var vocabulary = VocabularyFile.read(file);
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        try {
            // Without these two options the library cuts every text at 512 tokens.
            var options = Map.of("truncation", "DO_NOT_TRUNCATE", "padding", "DO_NOT_PAD");
            return new HfTokenizer(HuggingFaceTokenizer.newInstance(file, options), vocabulary);
        } catch (IOException | RuntimeException e) {
            throw VocabularyFile.invalid(file, "was refused: " + e.getMessage(), e);
        }
    }

    @Override
    public int vocabularySize() {
        return vocabulary.pieces().size();
    }

    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        long[] ids = tokenizer.encode(text, addSpecialTokens, false).getIds();
        return Arrays.stream(ids).mapToInt(Math::toIntExact).toArray();
    }

    @Override
    public String decode(int[] ids) {
        return ids.length == 0
                ? ""
                : tokenizer.decode(Arrays.stream(ids).asLongStream().toArray(), true);
    }

    @Override
    public String piece(int id) {
        return vocabulary.pieces().get(id);
    }

    @Override
    public TokenStream stream() {
        return new WindowedStream(this::decode);
    }

    @Override
    public String digest() {
        return vocabulary.digest();
    }

    /// Releases native memory. Idempotent.
    @Override
    public void close() {
        tokenizer.close();
    }
}
