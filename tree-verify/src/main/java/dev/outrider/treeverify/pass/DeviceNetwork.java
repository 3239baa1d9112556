package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A decoder whose passes a device runs, all sequences in one cache.
///
/// A pass of more rows than the program takes at once is several runs. Logits stay where they are until somebody wants them.
/// Drafters that borrow the embedding or the head compute with the host's copies.
public final class DeviceNetwork implements DecoderNetwork {
    private record Move(int source, int destination) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final ProgramShape shape;
    private final DeviceProgram program;
    private final PassStaging staging;
    private final RowPool pool;
    private final ArrayDeque<Move> moves = new ArrayDeque<>();
    private Optional<CopiedResult> onDevice = Optional.empty();

    /// @param shape   what the program was compiled for
    /// @param program owned from now on
    public DeviceNetwork(ProgramShape shape, DeviceProgram program) {
        this.shape = shape;
        this.program = program;
        this.staging = new PassStaging(shape);
        this.pool = new RowPool(shape.cacheRows());
    }

    /// Its architecture.
    public DecoderConfig config() {
        return shape.config();
    }

    @Override
    public KvCache newCache(int rows) {
        return new PooledCache(this, pool.take(rows), rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        lock.lock();
        try {
            var plan = PassPlan.of(blocks, outputs, config());
            blocks.forEach(this::check);
            var result =
                    new CopiedResult(
                            plan,
                            outputs.hiddenStates(),
                            config().vocabularySize(),
                            config().hiddenSize(),
                            this::fetch);
            try {
                run(plan, result);
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

    /// The clock of its kernels, where a driver keeps one.
    public Optional<KernelClock> kernelClock() {
        return program.kernelClock();
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
        if (!(block.cache() instanceof PooledCache cache) || cache.network() != this) {
            throw new IllegalArgumentException("the cache is another network's");
        }
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

    private void run(PassPlan plan, CopiedResult result) {
        moveBeforehand();
        int firstRow = 0;
        int firstLogits = 0;
        int row = 0;
        for (int index = 0; index < plan.blocks().size(); index++) {
            var block = plan.blocks().get(index);
            var cache = (PooledCache) block.cache();
            int first = cache.used();
            cache.rows().append(block.positions());
            for (int inBlock = 0; inBlock < block.tokens().length; inBlock++) {
                if (staging.full()) {
                    runOnce(result, firstRow, firstLogits);
                    firstRow = row;
                    firstLogits += staging.logitRows();
                    staging.clear();
                }
                add(block, cache, first, inBlock, plan.logitRow()[row] >= 0);
                row++;
            }
        }
        runOnce(result, firstRow, firstLogits);
    }

    /// Stages the moves of committed paths; those that do not fit get runs of their own.
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

    /// Runs the program, after the last pass's logits were saved for whoever may still want them.
    private void program() {
        onDevice.ifPresent(result -> result.takeAll(program::readLogits));
        onDevice = Optional.empty();
        program.run(staging);
    }

    private MemorySegment fetch(CopiedResult result, int row) {
        lock.lock();
        try {
            return result.take(row, program::readLogits);
        } finally {
            lock.unlock();
        }
    }

    private void runOnce(CopiedResult result, int firstRow, int firstLogits) {
        program();
        if (staging.logitRows() > 0) {
            result.leave(firstLogits, staging.logitRows());
            onDevice = Optional.of(result);
        }
        result.stateRows(firstRow, staging.rows())
                .forEach((state, memory) -> {
                    switch (state) {
                        case HiddenState.AfterLayer(int layers) ->
                                program.readStream(layers, staging.rows(), memory);
                        case HiddenState.AfterFinalNorm() ->
                                program.readNormed(staging.rows(), memory);
                    }
                });
    }
}
