package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.training.DocumentEncoder.LearnedTokens;
import dev.outrider.training.RowSource.RowStream;
import dev.outrider.training.data.Document;
import dev.outrider.training.data.Document.Overflow;
import java.util.Arrays;

/// Packs documents into rows of tokens, one after another, each followed by the end-of-text token. A document that does not fit
/// into a row is handled as [Document.Overflow] says; if it needs the next row, the rest of the row is filled up and not learned.
/// Documents without a learned token are left out. Confined.
final class RowPacker implements RowStream {
    /// The most documents in a row without a learned token; after that the data are refused.
    private static final int MAX_EMPTY = 10_000;

    private static final LearnedTokens NOTHING = new LearnedTokens(new int[0], new boolean[0]);

    private final Repeated<Document> documents;
    private final DocumentEncoder encoder;
    private final int rowTokens;
    private final int rows;
    private long consumed;
    private LearnedTokens open = NOTHING;
    private Overflow overflow = Overflow.CUT;
    private int laid;

    /// @param rowTokens tokens in a row
    /// @param rows      of every batch
    /// @param skip      the [#consumed] position of an earlier run
    RowPacker(DocumentSource source, DocumentEncoder encoder, int rowTokens, int rows, long skip) {
        this.encoder = encoder;
        this.rowTokens = rowTokens;
        this.rows = rows;
        documents = new Repeated<>(source::open);
        var position = RowPosition.of(skip);
        while (consumed < position.documents()) {
            read();
        }
        if (position.tokens() > 0) {
            take(read());
            laid = position.tokens();
        }
    }

    /// Counts a document when no token of it is left for the next row; see [RowPosition].
    @Override
    public long consumed() {
        return (laid < open.size()
                        ? new RowPosition(consumed - 1, laid)
                        : new RowPosition(consumed, 0))
                .number();
    }

    @Override
    public TokenRows next() {
        var tokens = new long[rows * rowTokens];
        var learned = new boolean[rows * rowTokens];
        for (int row = 0; row < rows; row++) {
            fill(tokens, learned, row * rowTokens);
        }
        return new TokenRows(tokens, learned, rows);
    }

    private void fill(long[] tokens, boolean[] learned, int start) {
        int end = start + rowTokens;
        int at = start;
        while (at < end) {
            if (laid == open.size()) {
                takeNext();
            }
            if (at > start && overflow == Overflow.NEXT_ROW && open.size() > end - at) {
                Arrays.fill(tokens, at, end, encoder.encoder().endOfText());
                return;
            }
            while (at < end && laid < open.size()) {
                tokens[at] = open.ids()[laid];
                learned[at++] = open.learned()[laid++];
            }
        }
        boolean closed =
                laid == open.size() - 1 && open.ids()[laid] == encoder.encoder().endOfText();
        if (overflow != Overflow.GOES_ON || closed) {
            laid = open.size();
        }
    }

    private void takeNext() {
        for (int empty = 0; empty < MAX_EMPTY; empty++) {
            take(read());
            int counted =
                    overflow == Overflow.NEXT_ROW ? Math.min(rowTokens, open.size()) : open.size();
            if (open.learned(counted) > 0) {
                return;
            }
        }
        throw ErrorCode.DATA_INVALID.error(
                "%d documents in a row have nothing to learn within the %d tokens of a row"
                        .formatted(MAX_EMPTY, rowTokens),
                "See what they are with 'outrider data show', and raise 'training.contextTokens'.");
    }

    private void take(Document document) {
        open = encoder.encode(document);
        overflow = document.overflow();
        laid = 0;
    }

    private Document read() {
        consumed++;
        return documents.next();
    }

    @Override
    public void close() {
        documents.close();
    }

    /// The position of a packer among its documents, which a checkpoint stores as one number.
    ///
    /// @param documents before this position, without a document that continues in the next row
    /// @param tokens    of the next document that are before this position too
    record RowPosition(long documents, int tokens) {
        private static final int DOCUMENT_BITS = 36;
        private static final int TOKEN_BITS = 27;

        RowPosition {
            Require.that(
                    documents >>> DOCUMENT_BITS == 0 && tokens >>> TOKEN_BITS == 0,
                    "%d documents and %d tokens are too many",
                    documents,
                    tokens);
        }

        static RowPosition of(long number) {
            return new RowPosition(
                    number & ((1L << DOCUMENT_BITS) - 1), (int) (number >>> DOCUMENT_BITS));
        }

        long number() {
            return (long) tokens << DOCUMENT_BITS | documents;
        }
    }
}
