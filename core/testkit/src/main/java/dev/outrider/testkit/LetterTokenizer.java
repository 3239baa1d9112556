package dev.outrider.testkit;

import dev.outrider.spi.target.Tokenizer;

/// Writes token 0 as `a`, 1 as `b` and so on; from 26 on, the number in angle brackets. Encodes
/// letters that are tokens and ignores everything else, so any text can be encoded.
///
/// @param vocabularySize number of ids
public record LetterTokenizer(int vocabularySize) implements Tokenizer {
    private static final int LETTERS = 26;

    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        int letters = Math.min(LETTERS, vocabularySize);
        return text.chars()
                .map(letter -> letter - 'a')
                .filter(id -> id >= 0 && id < letters)
                .toArray();
    }

    @Override
    public String decode(int[] ids) {
        var text = new StringBuilder();
        for (int id : ids) {
            text.append(piece(id));
        }
        return text.toString();
    }

    @Override
    public String piece(int id) {
        if (id < 0 || id >= vocabularySize) {
            throw new IndexOutOfBoundsException("no token %d".formatted(id));
        }
        return id < LETTERS ? String.valueOf((char) ('a' + id)) : "<%d>".formatted(id);
    }

    @Override
    public TokenStream stream() {
        return new TokenStream() {
            @Override
            public String append(int id) {
                return piece(id);
            }

            @Override
            public String finish() {
                return "";
            }
        };
    }

    @Override
    public String digest() {
        return "letters%d".formatted(vocabularySize);
    }
}
