package dev.outrider.training;

/// One token per letter: `a` is 1, `z` is 26; 0 ends a text.
record LetterEncoder() implements TextEncoder {
    @Override
    public int[] encode(String text) {
        return text.chars().map(letter -> letter - 'a' + 1).toArray();
    }

    @Override
    public int vocabularySize() {
        return 27;
    }

    @Override
    public int endOfText() {
        return 0;
    }
}
