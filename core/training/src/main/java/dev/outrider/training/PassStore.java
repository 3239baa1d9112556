package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.training.FrozenTarget.TargetPasses;
import dev.outrider.training.PassFormat.TopLogits;
import dev.outrider.training.RowSource.RowStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/// Rows and the target's passes over them, mapped from a file. Confined; the caller closes it.
final class PassStore implements TargetPasses, AutoCloseable {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final PassFormat format;
    private final List<HiddenState> states;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;
    private final long rows;
    private final Map<Long, Long> places = new HashMap<>();

    /// @param states in the order of the format
    /// @param rows   of the file that are there, from the first on
    PassStore(Path file, PassFormat format, List<HiddenState> states, long rows)
            throws IOException {
        this.format = format;
        this.states = List.copyOf(states);
        this.rows = rows;
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, rows * format.size(), arena);
        }
        for (long row = 0; row < rows; row++) {
            places.putIfAbsent(hash(tokens(row), 0, format.passed()), row);
        }
    }

    long rows() {
        return rows;
    }

    /// A row as it was laid.
    TokenRows row(long row) {
        var learned = new boolean[format.width()];
        long at = row * format.size() + format.learned();
        for (int i = 0; i < learned.length; i++) {
            learned[i] = memory.get(ValueLayout.JAVA_BYTE, at + i) != 0;
        }
        return new TokenRows(tokens(row), learned, 1);
    }

    private long[] tokens(long row) {
        var tokens = new long[format.width()];
        long at = row * format.size() + Long.BYTES;
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = memory.get(INT, at + 4L * i);
        }
        return tokens;
    }

    /// Rows that are not stored, such as those that are validated with, are computed.
    @Override
    public FrozenTarget.Outputs of(
            TokenRows batch,
            Set<HiddenState> wanted,
            boolean logits,
            PtNDManager manager,
            Supplier<FrozenTarget.Outputs> computed) {
        boolean kept =
                batch.width() == format.passed()
                        && states.containsAll(wanted)
                        && (!logits || format.vocabulary() > 0);
        var found = kept ? places(batch) : Optional.<long[]>empty();
        return found.map(places -> read(places, wanted, logits, manager)).orElseGet(computed);
    }

    private Optional<long[]> places(TokenRows batch) {
        var found = new long[batch.rows()];
        for (int row = 0; row < found.length; row++) {
            int from = row * batch.width();
            var place = places.get(hash(batch.tokens(), from, format.passed()));
            if (place == null || !isSame(batch.tokens(), from, place)) {
                return Optional.empty();
            }
            found[row] = place;
        }
        return Optional.of(found);
    }

    private boolean isSame(long[] tokens, int from, long place) {
        long at = place * format.size() + Long.BYTES;
        for (int i = 0; i < format.passed(); i++) {
            if (tokens[from + i] != memory.get(INT, at + 4L * i)) {
                return false;
            }
        }
        return true;
    }

    private FrozenTarget.Outputs read(
            long[] rows, Set<HiddenState> wanted, boolean logits, PtNDManager manager) {
        var hidden = new HashMap<HiddenState, NDArray>();
        for (var state : wanted) {
            long offset = format.state(states.indexOf(state));
            hidden.put(
                    state,
                    manager.create(
                            numbers(rows, offset, format.passed() * format.hiddenSize()),
                            new Shape(rows.length, format.passed(), format.hiddenSize())));
        }
        if (!logits) {
            return new FrozenTarget.Outputs(hidden, Optional.empty());
        }
        int tokens = rows.length * format.passed();
        var all =
                format.top() > 0
                        ? top(rows)
                        : numbers(rows, format.logits(), format.passed() * format.vocabulary());
        return new FrozenTarget.Outputs(
                hidden, Optional.of(manager.create(all, new Shape(tokens, format.vocabulary()))));
    }

    private float[] numbers(long[] rows, long offset, int count) {
        var all = new float[Math.multiplyExact(rows.length, count)];
        for (int row = 0; row < rows.length; row++) {
            long at = rows[row] * format.size() + offset;
            if (format.narrow()) {
                for (int i = 0; i < count; i++) {
                    int bits = memory.get(SHORT, at + 2L * i) << 16;
                    all[row * count + i] = Float.intBitsToFloat(bits);
                }
            } else {
                MemorySegment.copy(memory, FLOAT, at, all, row * count, count);
            }
        }
        return all;
    }

    private float[] top(long[] rows) {
        var top = new TopLogits(format.top(), format.vocabulary());
        int count = format.passed() * format.vocabulary();
        var all = new float[Math.multiplyExact(rows.length, count)];
        for (int row = 0; row < rows.length; row++) {
            long at = rows[row] * format.size() + format.logits();
            for (int token = 0; token < format.passed(); token++) {
                top.read(
                        memory,
                        at + (long) token * top.size(),
                        all,
                        row * count + token * format.vocabulary());
            }
        }
        return all;
    }

    /// Of a row's tokens; rows of the same hash are told apart by their tokens.
    private static long hash(long[] tokens, int from, int count) {
        long hash = 0;
        for (int i = from; i < from + count; i++) {
            hash = (hash ^ tokens[i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    @Override
    public void close() {
        arena.close();
    }

    /// Appends rows and their passes to a file. Confined; the caller closes it.
    static final class Writer implements AutoCloseable {
        private final PassFormat format;
        private final List<HiddenState> states;
        private final FileChannel file;
        private long rows;

        /// @param rows that are in the file already; what is behind them is cut off
        Writer(Path file, PassFormat format, List<HiddenState> states, long rows)
                throws IOException {
            this.format = format;
            this.states = List.copyOf(states);
            this.rows = rows;
            this.file = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            this.file.truncate(rows * format.size());
        }

        /// @param batch    whole rows
        /// @param outputs  of the pass over their first tokens
        /// @param consumed by the row source behind this batch
        void append(TokenRows batch, FrozenTarget.Outputs outputs, long consumed)
                throws IOException {
            var numbers = new ArrayList<float[]>();
            states.forEach(state -> numbers.add(outputs.hidden(state).toFloatArray()));
            outputs.logits().ifPresent(logits -> numbers.add(logits.toFloatArray()));
            try (var arena = Arena.ofConfined()) {
                var record = arena.allocate(batch.rows() * format.size(), Long.BYTES);
                for (int row = 0; row < batch.rows(); row++) {
                    var part = record.asSlice(row * format.size(), format.size());
                    boolean last = row == batch.rows() - 1;
                    part.set(
                            ValueLayout.JAVA_LONG_UNALIGNED,
                            0,
                            last ? consumed : PassFormat.WITHIN);
                    lay(batch, row, part);
                    for (int state = 0; state < states.size(); state++) {
                        int count = format.passed() * format.hiddenSize();
                        lay(numbers.get(state), row * count, count, part, format.state(state));
                    }
                    if (outputs.logits().isPresent()) {
                        logits(numbers.getLast(), row, part);
                    }
                }
                var bytes = record.asByteBuffer();
                long at = rows * format.size();
                while (bytes.hasRemaining()) {
                    at += file.write(bytes, at);
                }
            }
            rows += batch.rows();
        }

        private void lay(TokenRows batch, int row, MemorySegment part) {
            for (int i = 0; i < format.width(); i++) {
                int from = row * format.width() + i;
                part.set(INT, Long.BYTES + 4L * i, Math.toIntExact(batch.tokens()[from]));
                byte learned = (byte) (batch.learned()[from] ? 1 : 0);
                part.set(ValueLayout.JAVA_BYTE, format.learned() + i, learned);
            }
        }

        private void logits(float[] all, int row, MemorySegment part) {
            int count = format.passed() * format.vocabulary();
            if (format.top() == 0) {
                lay(all, row * count, count, part, format.logits());
                return;
            }
            var top = new TopLogits(format.top(), format.vocabulary());
            for (int token = 0; token < format.passed(); token++) {
                top.write(
                        all,
                        row * count + token * format.vocabulary(),
                        part,
                        format.logits() + (long) token * top.size());
            }
        }

        private void lay(float[] from, int first, int count, MemorySegment part, long at) {
            if (!format.narrow()) {
                MemorySegment.copy(from, first, part, FLOAT, at, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                int bits = Float.floatToRawIntBits(from[first + i]);
                if ((bits & 0xFFFF) != 0) {
                    throw new IllegalStateException(
                            "the target gave %s, which is no bfloat16 as its first pass had"
                                    .formatted(from[first + i]));
                }
                part.set(SHORT, at + 2L * i, (short) (bits >>> 16));
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

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
}
