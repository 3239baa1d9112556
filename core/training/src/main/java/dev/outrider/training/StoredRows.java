package dev.outrider.training;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/// The rows of a store again and again: first in the order in which they were laid, then each time in another that the seed decides.
///
/// @param facts of what was stored
record StoredRows(PassStore store, long seed, String facts) implements RowSource {
    /// @param skip rows that were given before
    @Override
    public RowStream open(int rows, long skip) {
        return new Stream(rows, skip);
    }

    private final class Stream implements RowStream {
        private final int rows;
        private long given;
        private long epoch = -1;
        private List<Long> order = List.of();

        Stream(int rows, long given) {
            this.rows = rows;
            this.given = given;
        }

        @Override
        public TokenRows next() {
            var parts = new ArrayList<TokenRows>();
            for (int i = 0; i < rows; i++) {
                parts.add(store.row(place(given++)));
            }
            return TokenRows.joined(parts);
        }

        private long place(long number) {
            if (number / store.rows() != epoch) {
                epoch = number / store.rows();
                order = new ArrayList<>(LongStream.range(0, store.rows()).boxed().toList());
                if (epoch > 0) {
                    Collections.shuffle(
                            order, new SplittableRandom(seed + 0x9E3779B97F4A7C15L * epoch));
                }
            }
            return order.get((int) (number % store.rows()));
        }

        @Override
        public long consumed() {
            return given;
        }

        @Override
        public void close() {}
    }
}
