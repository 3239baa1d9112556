package dev.outrider.training;

/// How a row and its pass lie in a store: what the row source had consumed behind the row's batch (8 bytes; [#WITHIN] where others of the batch follow), the row's tokens
/// (4 bytes each), which are learned (1 byte each), then the hidden states one by one, then the logits; each part begins at a multiple of 8.
///
/// @param width      tokens of a row
/// @param passed     tokens of it that the target reads, from the first on
/// @param states     how many hidden states are kept
/// @param hiddenSize numbers of each, a token
/// @param vocabulary logits of a token, or 0 if none are kept
/// @param top        logits of a token that are kept, 0 for all
/// @param narrow     whether states and logits are all bfloat16 numbers and take 2 bytes each; kept logits of `top` take 4 always
record PassFormat(
        int width,
        int passed,
        int states,
        int hiddenSize,
        int vocabulary,
        int top,
        boolean narrow) {
    /// In place of what was consumed, where the batch goes on.
    static final long WITHIN = -1;

    PassFormat {
        if (width < 1
                || passed < 1
                || passed > width
                || states < 0
                || hiddenSize < 0
                || vocabulary < 0) {
            throw new IllegalArgumentException("no row can lie in %s".formatted(this));
        }
        if (vocabulary > 0 && top > 0) {
            new TopLogits(top, vocabulary);
        }
    }

    static PassFormat of(String text) {
        var numbers = text.split(" ");
        return new PassFormat(
                Integer.parseInt(numbers[0]),
                Integer.parseInt(numbers[1]),
                Integer.parseInt(numbers[2]),
                Integer.parseInt(numbers[3]),
                Integer.parseInt(numbers[4]),
                Integer.parseInt(numbers[5]),
                Boolean.parseBoolean(numbers[6]));
    }

    /// The numbers in their order, as [#of] reads them.
    String text() {
        return "%d %d %d %d %d %d %s"
                .formatted(width, passed, states, hiddenSize, vocabulary, top, narrow);
    }

    int numberBytes() {
        return narrow ? Short.BYTES : Float.BYTES;
    }

    long learned() {
        return Long.BYTES + (long) Integer.BYTES * width;
    }

    long state(int index) {
        return aligned(learned() + width)
                + index * aligned((long) passed * hiddenSize * numberBytes());
    }

    long logits() {
        return state(states);
    }

    /// Bytes of a token's logits.
    long logitsOfToken() {
        if (vocabulary == 0) {
            return 0;
        }
        return top > 0 ? new TopLogits(top, vocabulary).size() : (long) vocabulary * numberBytes();
    }

    /// Bytes of a row with its pass.
    long size() {
        return aligned(logits() + passed * logitsOfToken());
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & -8;
    }
}
