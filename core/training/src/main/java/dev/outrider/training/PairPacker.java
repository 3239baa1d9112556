package dev.outrider.training;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.training.RowSource.RowStream;
import dev.outrider.training.data.Document;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/// Packs pairs into rows: the source, filled up with pad tokens, then the answer, filled up. Tokens that do not fit are left out.
/// Confined.
///
/// The pairs of a batch have about the same length, so that there is little padding: a pool of several batches is read, sorted
/// by length, and given out in an order in which long and short take turns.
final class PairPacker implements RowStream {
    private static final int POOL = 8;
    private static final int STRIDE = 3;

    private record Encoded(int[] source, int[] answer) {
        int length() {
            return source.length + answer.length;
        }
    }

    private final Repeated<Document> pairs;
    private final PairEncoder encoder;
    private final int sourceTokens;
    private final int answerTokens;
    private final int rows;
    private final Deque<List<Encoded>> pool = new ArrayDeque<>();
    private long consumed;

    /// @param rows of every batch
    /// @param skip number of pairs that an earlier run has read
    PairPacker(
            DocumentSource source,
            PairEncoder encoder,
            int sourceTokens,
            int answerTokens,
            int rows,
            long skip) {
        this.encoder = encoder;
        this.sourceTokens = sourceTokens;
        this.answerTokens = answerTokens;
        this.rows = rows;
        pairs = new Repeated<>(source::open);
        long whole = skip - skip % (POOL * rows);
        while (consumed < whole) {
            pairs.next();
            consumed++;
        }
        while (consumed < skip) {
            next();
        }
    }

    @Override
    public TokenRows next() {
        if (pool.isEmpty()) {
            fill();
        }
        var batch = pool.removeFirst();
        int width = sourceTokens + answerTokens;
        var packed = new long[rows * width];
        Arrays.fill(packed, encoder.pad());
        for (int row = 0; row < rows; row++) {
            lay(batch.get(row).source(), packed, row * width, sourceTokens);
            lay(batch.get(row).answer(), packed, row * width + sourceTokens, answerTokens);
        }
        consumed += rows;
        return new TokenRows(packed, rows);
    }

    @Override
    public long consumed() {
        return consumed;
    }

    @Override
    public void close() {
        pairs.close();
    }

    private void fill() {
        var read = new ArrayList<Encoded>();
        for (int i = 0; i < POOL * rows; i++) {
            read.add(encoded(pairs.next()));
        }
        read.sort(Comparator.comparingInt(Encoded::length));
        for (int i = 0; i < POOL; i++) {
            int batch = i * STRIDE % POOL;
            pool.addLast(read.subList(batch * rows, (batch + 1) * rows));
        }
    }

    private Encoded encoded(Document document) {
        if (document instanceof Document.Completion(String prompt, String completion, _)) {
            return new Encoded(encoder.source(prompt), encoder.answer(completion));
        }
        throw ErrorCode.DATA_INVALID.error(
                "the data have a record that is no pair; an encoder-decoder learns from a 'prompt' and its 'completion'",
                "Give records these two fields, or leave the source out of 'data.sources'.");
    }

    private static void lay(int[] ids, long[] packed, int at, int room) {
        for (int i = 0; i < Math.min(ids.length, room); i++) {
            packed[at + i] = ids[i];
        }
    }
}
