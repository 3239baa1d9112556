package dev.outrider.training;

import dev.outrider.training.data.Document;

/// Lays documents into rows of tokens: one after another, each closed by the end-of-text token. A divisible document goes on in the
/// next row; of another one, what does not fit is left out, and the next row starts at the start of a document, as a prompt does.
/// Confined.
final class RowPacker implements RowStream {
    private final Repeated<Document> documents;
    private final TextEncoder encoder;
    private final int rowTokens;
    private final int rows;
    private long consumed;
    private int[] open = {};
    private int laid;

    /// @param rowTokens tokens in a row
    /// @param rows      of every batch
    /// @param skip      what an earlier run has [#consumed]
    RowPacker(DocumentSource source, TextEncoder encoder, int rowTokens, int rows, long skip) {
        this.encoder = encoder;
        this.rowTokens = rowTokens;
        this.rows = rows;
        documents = new Repeated<>(source::open);
        var position = RowPosition.of(skip);
        while (consumed < position.documents()) {
            read();
        }
        if (position.tokens() > 0) {
            open = encoder.encode(read().text());
            laid = position.tokens();
        }
    }

    /// Counts a document once nothing of it is left for the next row; see [RowPosition].
    @Override
    public long consumed() {
        return (laid < open.length
                        ? new RowPosition(consumed - 1, laid)
                        : new RowPosition(consumed, 0))
                .number();
    }

    @Override
    public TokenRows next() {
        var packed = new long[rows * rowTokens];
        for (int row = 0; row < rows; row++) {
            fill(packed, row * rowTokens);
        }
        return new TokenRows(packed, rows);
    }

    private void fill(long[] packed, int start) {
        int end = start + rowTokens;
        int at = start;
        boolean divisible = true;
        while (at < end) {
            if (laid == open.length) {
                var document = read();
                open = encoder.encode(document.text());
                laid = 0;
                divisible = document.divisible();
            }
            while (at < end && laid < open.length) {
                packed[at++] = open[laid++];
            }
            if (at < end) {
                packed[at++] = encoder.endOfText();
            }
        }
        if (!divisible) {
            laid = open.length;
        }
    }

    private Document read() {
        consumed++;
        return documents.next();
    }

    @Override
    public void close() {
        documents.close();
    }
}
