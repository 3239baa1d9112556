package dev.outrider.nn.tokenizer;

import dev.outrider.spi.Tokenizer.TokenStream;
import java.util.Arrays;
import java.util.function.Function;

/// Streams a growing sequence by decoding a short window of it again and again, so that decoders which look
/// at neighbours (spaces at the start, bytes of one character) give the text of the whole sequence.
final class WindowedStream implements TokenStream {
    private static final char REPLACEMENT = '\uFFFD';

    private final Function<int[], String> decode;
    private int[] ids = new int[64];
    private int length;
    private int windowStart;
    private int certain;

    WindowedStream(Function<int[], String> decode) {
        this.decode = decode;
    }

    @Override
    public String append(int id) {
        if (length == ids.length) {
            ids = Arrays.copyOf(ids, 2 * length);
        }
        ids[length++] = id;
        var before = window(certain);
        var now = window(length);
        if (now.length() <= before.length() || now.charAt(now.length() - 1) == REPLACEMENT) {
            return "";
        }
        windowStart = certain;
        certain = length;
        return now.substring(before.length());
    }

    @Override
    public String finish() {
        var before = window(certain);
        var now = window(length);
        certain = length;
        return now.length() > before.length() ? now.substring(before.length()) : "";
    }

    private String window(int end) {
        return decode.apply(Arrays.copyOfRange(ids, windowStart, end));
    }
}
