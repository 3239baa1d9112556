package dev.outrider.nn.target;

import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.stream.Collectors;

/// Writes ids as numbers.
record NumberTokenizer(int vocabularySize) implements Tokenizer {
    @Override
    public int[] encode(String text, boolean addSpecialTokens) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    @Override
    public String decode(int[] ids) {
        return Arrays.stream(ids).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    @Override
    public String piece(int id) {
        return Integer.toString(id);
    }

    @Override
    public TokenStream stream() {
        return new TokenStream() {
            @Override
            public String append(int id) {
                return id + " ";
            }

            @Override
            public String finish() {
                return "";
            }
        };
    }

    @Override
    public String digest() {
        return "00";
    }
}
