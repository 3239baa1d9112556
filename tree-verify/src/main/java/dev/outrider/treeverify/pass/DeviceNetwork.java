package dev.outrider.treeverify.pass;

import dev.outrider.common.Require;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowCache;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/// A decoder, or a draft layer, whose passes run on a device. All sequences share one cache.
///
/// A pass with more rows than the program takes at once is split into several runs. Logits stay on the device until they are
/// read. Drafters that share the embedding or the head compute with the host's copies.
public final class DeviceNetwork implements DecoderNetwork, BlockNetwork, DeviceCode.Formatted {
    private record Move(int source, int destination) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final ProgramShape shape;
    private final DeviceProgram program;
    private final PassStaging staging;
    private final RowPool pool;
    private final ArrayDeque<Move> moves = new ArrayDeque<>();
    private Optional<CopiedResult> onDevice = Optional.empty();

    /// @param shape   the sizes that the program was compiled for
    /// @param program the program; this object owns it from now on
    public DeviceNetwork(ProgramShape shape, DeviceProgram program) {
        this.shape = shape;
        this.program = program;
        this.staging = new PassStaging(shape);
        this.pool = new RowPool(shape.cacheRows());
    }

    @Override
    public DecoderConfig config() {
        return shape.config();
    }

    @Override
    public String formats() {
        return shape.formats();
    }

    @Override
    public KvCache newCache(int rows) {
        return new PooledCache(this, pool.take(rows), rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        return forward(blocks, outputs, Optional.empty());
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        features.check(block.tokens().length, config());
        return forward(List.of(block), outputs, Optional.of(features));
    }

    @Override
    public void keep(KvCache cache, FeatureRows features) {
        lock.lock();
        try {
            staging.clear();
            stage(cache, features);
            program();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public float[] states(
            KvCache cache,
            Optional<FeatureRows> features,
            int[] tokens,
            int first,
            float[] logits) {
        var states = new float[tokens.length * config().hiddenSize()];
        int count = logits.length / shape.logits();
        Require.atLeast("rows of a run", shape.maxRows(), tokens.length);
        lock.lock();
        try {
            staging.clear();
            features.ifPresent(each -> stage(cache, each));
            var block = RowBlock.mutual(cache, tokens);
            check(block);
            var own = own(cache);
            own.append(block.positions());
            for (int row = 0; row < tokens.length; row++) {
                add(block, own, own.length(), row, row >= first && row < first + count);
            }
            program();
            program.readNormed(tokens.length, MemorySegment.ofArray(states));
            program.readLogits(0, count, MemorySegment.ofArray(logits));
            return states;
        } finally {
            cache.dropScratch();
            lock.unlock();
        }
    }

    /// Stages features as a cache's next rows, which are committed. The program runs whenever no other feature fits.
    private void stage(KvCache cache, FeatureRows features) {
        int rows = features.rows();
        features.check(rows, config());
        var own = own(cache);
        int first = own.length();
        Require.that(
                first + rows <= shape.mostKeys(),
                "%d positions, and the program was compiled for at most %d",
                first + rows,
                shape.mostKeys());
        own.append(IntStream.range(first, first + rows).toArray());
        for (int row = 0; row < rows; row++) {
            if (staging.captured()[PassLayout.ROWS] == shape.maxRows()) {
                program();
                staging.clear();
            }
            staging.context(features.row(row), first + row, own.base() + first + row);
        }
        own.keep(IntStream.range(0, rows).boxed().toList());
    }

    private PassResult forward(
            List<RowBlock> blocks, PassOutputs outputs, Optional<FeatureRows> features) {
        Require.that(
                features.isPresent()
                        == (config().fusion().isPresent() && !shape.fusion().context()),
                "a draft layer takes features, and a decoder none");
        lock.lock();
        try {
            var plan = PassPlan.of(blocks, outputs, config());
            blocks.forEach(this::check);
            var result = new CopiedResult(plan, outputs.hiddenStates());
            try {
                run(plan, features, result);
            } catch (RuntimeException | Error failure) {
                result.close();
                throw failure;
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        if (type == SharedWeights.class) {
            return Optional.of(
                    type.cast(
                            new SharedWeights(
                                    config().vocabularySize(),
                                    config().hiddenSize(),
                                    program.embedding(),
                                    program.head())));
        }
        return DecoderNetwork.super.capability(type);
    }

    /// Turns the measurement of kernel times on or off, see [DeviceProgram#measureKernels].
    public void measureKernels(boolean on) {
        program.measureKernels(on);
    }

    /// Returns the time of the kernels of the last run, see [DeviceProgram#kernelNanos].
    public long kernelNanos() {
        return program.kernelNanos();
    }

    @Override
    public void close() {
        program.close();
    }

    void moveLater(int source, int destination) {
        lock.lock();
        try {
            moves.add(new Move(source, destination));
        } finally {
            lock.unlock();
        }
    }

    void release(int firstRow) {
        pool.release(firstRow);
    }

    private void check(RowBlock block) {
        own(block.cache());
        if (block.mask() instanceof RowMask.Ancestors(var visible)) {
            int bits = visible.stream().mapToInt(BitSet::length).max().orElse(0);
            if (bits > 64 * shape.maskWords()) {
                throw new OutriderException(
                        ErrorCode.CONTEXT_EXCEEDED,
                        "a tree of %d nodes was to be scored; the device's masks have room for %d"
                                .formatted(bits, 64 * shape.maskWords()),
                        "Draft smaller trees.");
            }
        }
    }

    private PooledCache own(KvCache cache) {
        if (!(cache instanceof PooledCache own) || own.network() != this) {
            throw new IllegalArgumentException("the cache is another network's");
        }
        return own;
    }

    private void run(PassPlan plan, Optional<FeatureRows> features, CopiedResult result) {
        moveBeforehand();
        int firstRow = 0;
        int firstLogits = 0;
        int row = 0;
        for (int index = 0; index < plan.blocks().size(); index++) {
            var block = plan.blocks().get(index);
            var cache = (PooledCache) block.cache();
            int first = cache.used();
            cache.append(block.positions());
            for (int inBlock = 0; inBlock < block.tokens().length; inBlock++) {
                if (staging.full()) {
                    runOnce(result, firstRow, firstLogits);
                    firstRow = row;
                    firstLogits += staging.logitRows();
                    staging.clear();
                }
                add(block, cache, first, inBlock, plan.logitRow()[row] >= 0);
                if (features.isPresent()) {
                    staging.feature(features.get().row(row), features.get().source());
                }
                row++;
            }
        }
        runOnce(result, firstRow, firstLogits);
    }

    /// Stages the moves of committed paths. Moves that do not fit get separate runs.
    private void moveBeforehand() {
        staging.clear();
        while (!moves.isEmpty()) {
            var move = moves.element();
            if (staging.move(move.source(), move.destination())) {
                moves.remove();
            } else {
                program();
                staging.clear();
            }
        }
    }

    private void add(RowBlock block, PooledCache cache, int first, int row, boolean withLogits) {
        int slot = first + row;
        int prefix =
                switch (block.mask()) {
                    case RowMask.Causal() -> slot + 1;
                    case RowMask.Ancestors _ -> cache.length();
                };
        var mask =
                switch (block.mask()) {
                    case RowMask.Causal() -> new BitSet();
                    case RowMask.Ancestors(var visible) -> visible.get(row);
                };
        int position = block.positions()[row];
        int keys = prefix + mask.cardinality();
        if (keys > shape.mostKeys()) {
            throw new IllegalArgumentException(
                    "row %d at position %d sees %d rows, and the program was compiled for at most %d"
                            .formatted(row, position, keys, shape.mostKeys()));
        }
        if (config().slidingWindow().isPresent() && position != keys - 1) {
            throw new IllegalArgumentException(
                    "row %d at position %d sees %d rows, which a window cannot count"
                            .formatted(row, position, keys));
        }
        staging.add(block.tokens()[row], position, cache.base(), slot, prefix, mask, withLogits);
    }

    /// Saves the logits of the last pass for later readers, then runs the program.
    private void program() {
        onDevice.ifPresent(CopiedResult::takeAll);
        onDevice = Optional.empty();
        program.run(staging);
    }

    private void runOnce(CopiedResult result, int firstRow, int firstLogits) {
        program();
        if (staging.logitRows() > 0) {
            result.leave(firstLogits, staging.logitRows());
            onDevice = Optional.of(result);
        }
        result.copyStates(firstRow);
    }

    /// One sequence's range of the device's cache rows. It holds no keys or values. The network's next run moves the kept rows to
    /// their places.
    static final class PooledCache extends RowCache {
        private final DeviceNetwork network;
        private final int base;
        private boolean closed;

        /// @param base first row of the range; this object owns the range from now on
        PooledCache(DeviceNetwork network, int base, int capacity) {
            super(capacity);
            this.network = network;
            this.base = base;
        }

        DeviceNetwork network() {
            return network;
        }

        int base() {
            return base;
        }

        @Override
        protected void move(int[] kept, int destination) {
            for (int index = 0; index < kept.length; index++) {
                if (kept[index] != destination + index) {
                    network.moveLater(base + kept[index], base + destination + index);
                }
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                network.release(base);
            }
        }
    }

    /// Gives ranges of consecutive cache rows to sequences, the lowest range that fits. Thread-safe.
    static final class RowPool {
        private final int rows;

        /// The length of each range in use, by its first row.
        private final TreeMap<Integer, Integer> taken = new TreeMap<>();

        RowPool(int rows) {
            this.rows = rows;
        }

        /// Takes a range.
        ///
        /// @return its first row
        /// @throws OutriderException `OUT_OF_MEMORY` if no gap is long enough
        synchronized int take(int length) {
            int start = 0;
            int longest = 0;
            for (var run : taken.entrySet()) {
                int gap = run.getKey() - start;
                if (gap >= length) {
                    taken.put(start, length);
                    return start;
                }
                longest = Math.max(longest, gap);
                start = run.getKey() + run.getValue();
            }
            longest = Math.max(longest, rows - start);
            if (longest < length) {
                throw new OutriderException(
                        ErrorCode.OUT_OF_MEMORY,
                        "a sequence of %d tokens was asked for, but the longest free run of the device's %d cache rows has %d"
                                .formatted(length, rows, longest),
                        "Open shorter or fewer sequences, or close some; target.cacheRows gives a target more rows.");
            }
            taken.put(start, length);
            return start;
        }

        /// Gives a range back.
        synchronized void release(int start) {
            taken.remove(start);
        }
    }

    /// The result of a pass. States are copied from the device at once. Logits are copied row by row when they are read; before
    /// the next pass overwrites them, all remaining rows are copied.
    private final class CopiedResult implements PassResult {
        private final Arena arena = Arena.ofConfined();
        private final int[] logitRow;
        private final Map<Integer, MemorySegment> logits = new LinkedHashMap<>();
        private final Map<HiddenState, MemorySegment> hidden = new LinkedHashMap<>();

        /// The first row whose logits are on the device, among the rows that get logits, and the number of such rows.
        private int firstOnDevice;

        private int countOnDevice;
        private volatile boolean closed;

        CopiedResult(PassPlan plan, Set<HiddenState> states) {
            logitRow = plan.logitRow();
            for (var state : states) {
                hidden.put(state, arena.allocate(logitRow.length * rowBytes(), Float.BYTES));
            }
        }

        private long rowBytes() {
            return (long) config().hiddenSize() * Float.BYTES;
        }

        private long logitBytes() {
            return (long) shape.logits() * Float.BYTES;
        }

        /// Records that rows of logits are on the device from now on.
        ///
        /// @param first index of the first one among the rows of the pass that get logits
        void leave(int first, int count) {
            firstOnDevice = first;
            countOnDevice = count;
        }

        /// Copies the logits that are still on the device, unless the result is closed. Another thread than the reader's may call
        /// it.
        void takeAll() {
            if (countOnDevice > 0 && !closed && logits.size() < firstOnDevice + countOnDevice) {
                var memory = Arena.ofAuto().allocate(countOnDevice * logitBytes(), Float.BYTES);
                program.readLogits(0, countOnDevice, memory);
                for (int row = 0; row < countOnDevice; row++) {
                    logits.putIfAbsent(
                            firstOnDevice + row, memory.asSlice(row * logitBytes(), logitBytes()));
                }
            }
            leave(0, 0);
        }

        /// Copies the states of the rows that the last run computed.
        ///
        /// @param first index in the pass of the first of these rows
        void copyStates(int first) {
            int rows = staging.rows();
            hidden.forEach((state, all) -> {
                var memory = all.asSlice(first * rowBytes(), rows * rowBytes());
                switch (state) {
                    case HiddenState.AfterLayer(int layers) ->
                            program.readStream(layers, rows, memory);
                    case HiddenState.AfterFinalNorm() -> program.readNormed(rows, memory);
                }
            });
        }

        @Override
        public int rows() {
            return logitRow.length;
        }

        @Override
        public MemorySegment logits(int row) {
            if (logitRow[row] < 0) {
                throw new IllegalArgumentException(
                        "logits of row %d were not asked for".formatted(row));
            }
            lock.lock();
            try {
                return logits.computeIfAbsent(
                        logitRow[row],
                        wanted -> {
                            var memory = arena.allocate(logitBytes(), Float.BYTES);
                            program.readLogits(wanted - firstOnDevice, 1, memory);
                            return memory;
                        });
            } finally {
                lock.unlock();
            }
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            var states = hidden.get(which);
            if (states == null) {
                throw new IllegalArgumentException(which + " was not asked for");
            }
            Objects.checkIndex(row, rows());
            return states.asSlice(row * rowBytes(), rowBytes());
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                arena.close();
            }
        }
    }
}
