package dev.outrider.training;

/// Lays documents into rows of tokens. A row starts at the start of a document, as a prompt does; documents follow one
/// another, each closed by the end-of-text token, and what does not fit into the row is left out. Confined.
final class RowPacker implements RowStream {
    private final Repeated<String> documents;
    private final TextEncoder encoder;
    private final int rowTokens;
    private final int rows;
    private long consumed;

    /// @param rowTokens tokens in a row
    /// @param rows      of every batch
    /// @param skip      documents that an earlier run has read
    RowPacker(DocumentSource source, TextEncoder encoder, int rowTokens, int rows, long skip) {
        this.encoder = encoder;
        this.rowTokens = rowTokens;
        this.rows = rows;
        documents = new Repeated<>(source::open);
        while (consumed < skip) {
            read();
        }
    }

    @Override
    public long consumed() {
        return consumed;
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
        while (at < end) {
            for (int token : encoder.encode(read())) {
                if (at == end) {
                    return;
                }
                packed[at++] = token;
            }
            if (at < end) {
                packed[at++] = encoder.endOfText();
            }
        }
    }

    private String read() {
        consumed++;
        return documents.next();
    }

    @Override
    public void close() {
        documents.close();
    }
}
