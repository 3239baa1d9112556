package dev.outrider.training;

/// Where a packer is among its documents, which a checkpoint keeps as one number.
///
/// @param documents behind the rows so far, counting none that goes on in the next
/// @param tokens    of the next document that are behind them too
record RowPosition(long documents, int tokens) {
    private static final int DOCUMENT_BITS = 36;
    private static final int TOKEN_BITS = 27;

    RowPosition {
        if (documents >>> DOCUMENT_BITS != 0 || tokens >>> TOKEN_BITS != 0) {
            throw new IllegalArgumentException(
                    "%d documents and %d tokens are too many".formatted(documents, tokens));
        }
    }

    static RowPosition of(long number) {
        return new RowPosition(
                number & ((1L << DOCUMENT_BITS) - 1), (int) (number >>> DOCUMENT_BITS));
    }

    long number() {
        return (long) tokens << DOCUMENT_BITS | documents;
    }
}
