package dev.outrider.engine.decode;

import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.target.Tokenizer.TokenStream;
import java.util.Arrays;

/// The text of tokens that follow others. Many tokenizers drop a space at the beginning of what they decode, so a token's text is what it adds to
/// the tokens before it.
public final class FollowingText {
    /// The first number of tokens to decode. They usually have a text and begin between two characters; if not, the number is
    /// doubled up to the limit.
    private static final int FEW = 8;

    private static final int LIMIT = 64;
    private static final char REPLACEMENT = '\uFFFD';

    private FollowingText() {}

    /// Starts a stream whose text goes on after a prompt's, as if both were decoded together.
    ///
    /// @param prompt ids, maybe none; not changed, not kept
    public static TokenStream stream(Tokenizer tokenizer, int[] prompt) {
        int size = Math.min(FEW, prompt.length);
        while (size < Math.min(LIMIT, prompt.length)
                && !whole(tokenizer.decode(end(prompt, size)))) {
            size = Math.min(2 * size, prompt.length);
        }
        int[] read = end(prompt, size);
        var stream = tokenizer.stream();
        int shown = 0;
        for (int token : read) {
            shown += stream.append(token).length();
        }
        var text = tokenizer.decode(read);
        return new After(stream, text.substring(Math.min(shown, text.length())));
    }

    private static int[] end(int[] prompt, int size) {
        return Arrays.copyOfRange(prompt, prompt.length - size, prompt.length);
    }

    private static boolean whole(String text) {
        return !text.isEmpty() && text.indexOf(REPLACEMENT) < 0;
    }

    /// Returns the text that a token adds to the token before it. If that cannot be determined, returns the token's own text, or
    /// its spelling if it has no text.
    ///
    /// @param before id; negative if there is none
    public static String of(Tokenizer tokenizer, int before, int token) {
        int known = tokenizer.vocabularySize();
        if (token >= known) {
            return spelling(tokenizer, token);
        }
        if (before >= 0 && before < known) {
            var first = tokenizer.decode(new int[] {before});
            var both = tokenizer.decode(new int[] {before, token});
            if (both.startsWith(first) && both.length() > first.length()) {
                return both.substring(first.length());
            }
        }
        var alone = tokenizer.decode(new int[] {token});
        return alone.isEmpty() ? spelling(tokenizer, token) : alone;
    }

    /// Returns the vocabulary's spelling of a token; its number if the tokenizer does not have the token.
    public static String spelling(Tokenizer tokenizer, int token) {
        return token < tokenizer.vocabularySize() ? tokenizer.piece(token) : "#" + token;
    }

    /// A stream that has read a prompt, and may hold back the end of its text.
    private static final class After implements TokenStream {
        private final TokenStream stream;
        private String held;

        After(TokenStream stream, String held) {
            this.stream = stream;
            this.held = held;
        }

        @Override
        public String append(int id) {
            return rest(stream.append(id));
        }

        @Override
        public String finish() {
            return rest(stream.finish());
        }

        private String rest(String piece) {
            if (piece.isEmpty()) {
                return piece;
            }
            var known = held;
            held = "";
            return piece.startsWith(known) ? piece.substring(known.length()) : piece;
        }
    }
}
