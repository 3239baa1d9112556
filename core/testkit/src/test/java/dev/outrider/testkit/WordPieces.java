package dev.outrider.testkit;

import dev.outrider.spi.target.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Pieces with a space before a word, which is dropped at the beginning of a text, and pieces that are bytes of a character. Bytes
/// that follow one another and are not all characters are written as one replacement character each, as byte fallback does.
/// Tokens 3 and 4 are the bytes of `é`; token 5 has no text.
record WordPieces() implements Tokenizer {
    private static final List<String> PIECES = List.of(" the", " sea", "s", "\u00c3", "\u00a9", "");

    @Override
    public int vocabularySize() {
        return PIECES.size();
    }

    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        throw new UnsupportedOperationException("these tests decode only");
    }

    @Override
    public String decode(int[] ids) {
        var text = new StringBuilder();
        var bytes = new StringBuilder();
        for (int id : ids) {
            if (isByte(id)) {
                bytes.append(PIECES.get(id));
            } else {
                text.append(characters(bytes)).append(PIECES.get(id));
                bytes.setLength(0);
            }
        }
        text.append(characters(bytes));
        return text.indexOf(" ") == 0 ? text.substring(1) : text.toString();
    }

    private boolean isByte(int id) {
        return !PIECES.get(id).isEmpty() && PIECES.get(id).charAt(0) > 127;
    }

    private static String characters(CharSequence bytes) {
        var text =
                new String(
                        bytes.toString().getBytes(StandardCharsets.ISO_8859_1),
                        StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 ? text : "\uFFFD".repeat(bytes.length());
    }

    @Override
    public String piece(int id) {
        return PIECES.get(id).isEmpty() ? "[%d]".formatted(id) : PIECES.get(id);
    }

    @Override
    public TokenStream stream() {
        var ids = new ArrayList<Integer>();
        return new TokenStream() {
            private int written;

            @Override
            public String append(int id) {
                ids.add(id);
                var text = decode(ids.stream().mapToInt(Integer::intValue).toArray());
                int whole = text.length();
                while (whole > written && text.charAt(whole - 1) == '\uFFFD') {
                    whole--;
                }
                var added = text.substring(written, whole);
                written = whole;
                return added;
            }

            @Override
            public String finish() {
                return decode(ids.stream().mapToInt(Integer::intValue).toArray())
                        .substring(written);
            }
        };
    }

    @Override
    public String digest() {
        return "words";
    }
}
