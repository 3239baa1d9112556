package dev.outrider.training;

import java.util.Iterator;
import java.util.stream.Stream;

/// Lays documents into rows of tokens. A row starts at the start of a document, as a prompt does; documents follow one
/// another, each closed by the end-of-text token, and what does not fit into the row is left out. Confined.
final class RowPacker implements AutoCloseable {
    private final DocumentSource source;
    private final TextEncoder encoder;
    private final int rowTokens;
    private Stream<String> stream;
    private Iterator<String> documents;
    private long consumed;

    /// @param rowTokens tokens in a row
    /// @param skip      documents that an earlier run has read
    RowPacker(DocumentSource source, TextEncoder encoder, int rowTokens, long skip) {
        this.source = source;
        this.encoder = encoder;
        this.rowTokens = rowTokens;
        stream = source.open();
        documents = stream.iterator();
        while (consumed < skip) {
            next();
        }
    }

    /// How many documents were read.
    long consumed() {
        return consumed;
    }

    /// The next rows.
    TokenRows rows(int rows) {
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
            for (int token : encoder.encode(next())) {
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

    private String next() {
        if (!documents.hasNext()) {
            stream.close();
            stream = source.open();
            documents = stream.iterator();
            if (!documents.hasNext()) {
                throw new IllegalArgumentException("the document source is empty");
            }
        }
        consumed++;
        return documents.next();
    }

    @Override
    public void close() {
        stream.close();
    }
}
