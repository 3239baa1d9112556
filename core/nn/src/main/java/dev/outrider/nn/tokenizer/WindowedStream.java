package dev.outrider.nn.tokenizer;

import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.regex.Pattern;

/// Decodes a growing sequence by decoding a window twice, with and without the ids not yet shown; what the
/// longer text has more is new. The window begins one shown step back, because some decoders drop a space at
/// the beginning. Text is held back while it ends in U+FFFD, which may be the beginning of a character.
///
/// Confined to one thread.
final class WindowedStream implements Tokenizer.TokenStream {
    private static final Pattern BYTE_PIECE = Pattern.compile("<0x[0-9A-Fa-f]{2}>");

    private final Tokenizer tokenizer;

    /// Whether bytes next to bytes can still change how those before them decode.
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
        return id < tokenizer.vocabularySize() && BYTE_PIECE.matcher(tokenizer.piece(id)).matches();
    }
}
