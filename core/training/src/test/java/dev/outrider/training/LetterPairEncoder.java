package dev.outrider.training;

import java.util.Arrays;

/// One token per letter: `a` is 2, `z` is 27; 1 ends a source and an answer, 0 pads.
record LetterPairEncoder() implements PairEncoder {
    @Override
    public int[] source(String text) {
        return answer(text);
    }

    @Override
    public int[] answer(String text) {
        int[] ids =
                Arrays.copyOf(
                        text.chars().map(letter -> letter - 'a' + 2).toArray(), text.length() + 1);
        ids[text.length()] = end();
        return ids;
    }

    @Override
    public int vocabularySize() {
        return 28;
    }

    @Override
    public int end() {
        return 1;
    }

    @Override
    public int pad() {
        return 0;
    }
}
