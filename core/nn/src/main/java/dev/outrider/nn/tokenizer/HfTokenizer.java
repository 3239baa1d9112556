package dev.outrider.nn.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Surrogates;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// A tokenizer read from a Hugging Face `tokenizer.json`, run by the native tokenizers library.
/// Nothing is downloaded and no text is truncated or padded.
///
/// Thread-safe. Owner: the caller that loaded it, which must not close it while another thread uses
/// it.
public final class HfTokenizer implements Tokenizer, AutoCloseable {
    private final VocabularyFile file;
    private final HuggingFaceTokenizer tokenizer;
    private final Map<String, Integer> ids;
    private final int rows;

    private HfTokenizer(VocabularyFile file, HuggingFaceTokenizer tokenizer, int rows) {
        this.file = file;
        this.tokenizer = tokenizer;
        this.rows = rows;
        ids = new HashMap<>();
        for (int id = 0; id < file.pieces().size(); id++) {
            int thisId = id;
            file.pieces().get(id).ifPresent(piece -> ids.put(piece, thisId));
        }
    }

    /// Loads a tokenizer.
    ///
    /// @param path the file, also a GGUF file, or the directory of a checkpoint with a
    ///     `tokenizer.json` or, as T5 and Marian were published, SentencePiece models
    /// @throws OutriderException `TOKENIZER_MISSING` or `TOKENIZER_INVALID`, and as [GgufFile#open]
    public static HfTokenizer load(Path path) {
        if (GgufFile.is(path)) {
            try (var file = GgufFile.open(path)) {
                return of(VocabularyFile.of(path, GgufTokenizer.json(file.metadata())));
            }
        }
        if (!Files.isDirectory(path)) {
            return of(VocabularyFile.read(path));
        }
        var json = path.resolve("tokenizer.json");
        return of(
                (Files.exists(json)
                                ? Optional.<Map.Entry<Path, ObjectNode>>empty()
                                : SentencePieceFiles.in(path))
                        .map(made -> VocabularyFile.of(made.getKey(), made.getValue()))
                        .orElseGet(() -> VocabularyFile.read(json)));
    }

    private static HfTokenizer of(VocabularyFile file) {
        stayOffline();
        requireLibrary();
        var json = new ByteArrayInputStream(file.json().getBytes(StandardCharsets.UTF_8));
        var options =
                Map.of("truncation", "false", "padding", "false", "addSpecialTokens", "false");
        try {
            return new HfTokenizer(
                    file, HuggingFaceTokenizer.newInstance(json, options), file.pieces().size());
        } catch (IOException | RuntimeException e) {
            throw VocabularyFile.invalid(
                    file.path(), "is refused by the tokenizers library: " + e.getMessage(), e);
        }
    }

    private static void requireLibrary() {
        try {
            LibUtils.checkStatus();
        } catch (RuntimeException | LinkageError e) {
            throw ErrorCode.BACKEND_UNAVAILABLE.error(
                    "the native tokenizers library does not load: " + FailureReason.first(e),
                    "Use Linux, macOS or Windows on x86-64 or ARM64, let DJL_CACHE_DIR name a directory that"
                            + " can be written to, and give Java --enable-native-access=ALL-UNNAMED.",
                    e);
        }
    }

    /// The library reports its use over the network unless this is set before its first call.
    private static void stayOffline() {
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        if (System.getProperty("OPT_OUT_TRACKING") == null) {
            System.setProperty("OPT_OUT_TRACKING", "true");
        }
    }

    /// Returns this tokenizer for a model that has at most a number of tokens. Closing it closes
    /// this one.
    public HfTokenizer limitedTo(int modelTokens) {
        return rows <= modelTokens ? this : new HfTokenizer(file, tokenizer, modelTokens);
    }

    /// Returns the number of tokens, without added tokens that the model does not have.
    @Override
    public int vocabularySize() {
        return rows;
    }

    /// Returns the kind of model in its file: `BPE`, `Unigram`, `WordPiece` or `WordLevel`.
    public String kind() {
        return file.kind();
    }

    /// Half of a surrogate pair is encoded as U+FFFD.
    ///
    /// @throws OutriderException `CONTEXT_EXCEEDED` if the text is longer than can be encoded at
    ///     once, `TOKENIZER_INVALID` if the tokenizer has no piece for a part of it,
    ///     `TOKEN_OUT_OF_RANGE` if it has an added token that the model lacks
    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        // The library misreads all characters beyond U+FFFF if a text has half a pair.
        var whole = Surrogates.replaced(text, _ -> "\uFFFD");
        int bytes = whole.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > file.longestText()) {
            throw ErrorCode.CONTEXT_EXCEEDED.error(
                    "a text of %d bytes is too long for tokenizer '%s'; expected at most %d"
                            .formatted(bytes, file.path(), file.longestText()),
                    "Cut the text, and encode its parts.");
        }
        int[] found = idsOf(whole, addSpecialTokens);
        for (int id : found) {
            if (id >= rows) {
                throw ErrorCode.TOKEN_OUT_OF_RANGE.error(
                        "the text has the added token '%s' with the id %d, but the model of tokenizer '%s' has only %d tokens"
                                .formatted(piece(id), id, file.path(), rows),
                        "Leave the token out of the text; the model has no row for it.");
            }
        }
        return found;
    }

    /// Returns only the ids, without the library's other results.
    private int[] idsOf(String text, boolean addSpecialTokens) {
        long encoding;
        try {
            encoding = TokenizersLibrary.LIB.encode(tokenizer.getHandle(), text, addSpecialTokens);
        } catch (RuntimeException e) {
            throw VocabularyFile.invalid(file.path(), "cannot encode a text: " + e.getMessage(), e);
        }
        try {
            return Arrays.stream(TokenizersLibrary.LIB.getTokenIds(encoding))
                    .mapToInt(Math::toIntExact)
                    .toArray();
        } finally {
            TokenizersLibrary.LIB.deleteEncoding(encoding);
        }
    }

    /// Padding ids, which only the model's vocabulary has, decode to nothing.
    ///
    /// @throws OutriderException `TOKEN_OUT_OF_RANGE` if an id is negative
    @Override
    public String decode(int[] tokens) {
        var wide = new long[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] < 0) {
                throw ErrorCode.TOKEN_OUT_OF_RANGE.error(
                        "token id %d at position %d is negative; expected ids from 0 to %d"
                                .formatted(tokens[i], i, vocabularySize() - 1),
                        "Decode ids that this tokenizer or its model produced.");
            }
            wide[i] = tokens[i];
        }
        return wide.length == 0 ? "" : tokenizer.decode(wide, true);
    }

    /// Unused ids are spelled `[unused]`.
    @Override
    public String piece(int id) {
        return file.pieces().get(id).orElse("[unused]");
    }

    /// Returns the id of a piece in the vocabulary's spelling, special tokens included.
    public OptionalInt id(String piece) {
        var id = ids.get(piece);
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /// Returns the number of ids with a piece.
    public int pieces() {
        return ids.size();
    }

    /// Returns whether an id has a piece.
    public boolean isPiece(int id) {
        return id < file.pieces().size() && file.pieces().get(id).isPresent();
    }

    /// Returns whether the file lists tokens that are found in a text before it is divided into
    /// words.
    public boolean hasAddedTokens() {
        return !file.added().isEmpty();
    }

    /// Returns whether an id is one of such a token.
    public boolean isAdded(int id) {
        return file.added().contains(id);
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

    /// Decodes a growing sequence by decoding a window twice, with and without the new ids; the
    /// additional text is new. The window begins one step earlier, because some decoders drop a
    /// space at the beginning. Text is held back while it ends in U+FFFD, which may be an
    /// incomplete character.
    ///
    /// Confined to one thread.
    static final class WindowedStream implements Tokenizer.TokenStream {
        private static final Pattern BYTE_PIECE = Pattern.compile("<0x[0-9A-Fa-f]{2}>");

        private final Tokenizer tokenizer;

        /// Whether later bytes can change how earlier bytes decode.
        private final boolean byteFallback;

        private int[] ids = new int[64];
        private int size;
        private int windowStart;
        private int shown;
        private int shownLength;
        private boolean endsInBytes;
        private boolean finished;

        WindowedStream(Tokenizer tokenizer, boolean byteFallback) {
            this.tokenizer = tokenizer;
            this.byteFallback = byteFallback;
        }

        @Override
        public String append(int id) {
            if (finished) {
                throw new IllegalStateException("the stream is finished");
            }
            if (size == ids.length) {
                ids = Arrays.copyOf(ids, 2 * size);
            }
            ids[size++] = id;
            if (byteFallback) {
                endsInBytes = isByte(id) || endsInBytes && isSilent(id);
                if (endsInBytes) {
                    return "";
                }
            }
            var before = tokenizer.decode(Arrays.copyOfRange(ids, windowStart, shown));
            var after = tokenizer.decode(Arrays.copyOfRange(ids, windowStart, size));
            if (after.length() <= before.length() || after.endsWith("\uFFFD")) {
                return "";
            }
            windowStart = shown;
            shown = size;
            var fresh = after.substring(before.length());
            shownLength += fresh.length();
            return fresh;
        }

        @Override
        public String finish() {
            if (finished) {
                throw new IllegalStateException("the stream is finished already");
            }
            finished = true;
            var whole = tokenizer.decode(Arrays.copyOf(ids, size));
            return whole.substring(Math.min(shownLength, whole.length()));
        }

        /// Special tokens do not separate the bytes around them.
        private boolean isSilent(int id) {
            return tokenizer.decode(new int[] {id}).isEmpty();
        }

        private boolean isByte(int id) {
            return id < tokenizer.vocabularySize()
                    && BYTE_PIECE.matcher(tokenizer.piece(id)).matches();
        }
    }
}
