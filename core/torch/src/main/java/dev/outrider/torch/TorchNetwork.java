package dev.outrider.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowCache;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.Visibility;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/// A decoder whose passes run in PyTorch: the network of training, with caches (`pass.torchscript`). Projections run over
/// the rows of all sequences at once, attention for each sequence. Results differ from those of Java's vector code by the order
/// of additions, and in bfloat16 by rounding.
public final class TorchNetwork implements DecoderNetwork {
    private final DecoderConfig config;
    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript script;
    private final List<NDArray> parameters = new ArrayList<>();
    private final TorchValue weights;
    private final TorchValue cosines;
    private final TorchValue signedSines;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<SharedWeights> shared = Optional.empty();

    /// Loads all weights.
    ///
    /// @param config    one that [TorchDecoder#computes] accepts
    /// @param source    read in the constructor
    /// @param precision [Precision#F32], or [Precision#BF16] for matrices that are stored and multiplied in bfloat16
    /// @throws IllegalArgumentException if the architecture or the precision is not supported
    public TorchNetwork(DecoderConfig config, WeightSource source, Precision precision) {
        boolean bfloat16 = precision == Precision.BF16;
        Require.that(
                TorchDecoder.computes(config) && (bfloat16 || precision == Precision.F32),
                "the tensor engine does not compute %s in %s",
                config,
                precision);
        this.config = config;
        script =
                TorchScript.compile(
                        TorchDecoder.methods(config, bfloat16)
                                + TorchScript.resource(TorchNetwork.class, "pass"));
        TensorThread.enterInference();
        for (var slot : TorchDecoder.slots(config)) {
            parameters.add(kept(slot, source));
        }
        weights = TorchValue.ofArrays(parameters);
        var angles = TorchDecoder.angles(config, config.maxPositions(), manager);
        cosines = TorchValue.of(angles.getFirst());
        signedSines = TorchValue.of(angles.getLast());
    }

    /// Reads the weights of a slot, stacked.
    private NDArray kept(TorchDecoder.Slot slot, WeightSource source) {
        long[] shape = slot.weights().getFirst().shape(config, slot.numbers().getFirst());
        shape[0] = slot.rows(config);
        try (var arena = Arena.ofConfined();
                var scratch = TensorRuntime.newManager()) {
            long elements = Arrays.stream(shape).reduce(1, Math::multiplyExact);
            var all = arena.allocate(elements * Float.BYTES, Float.BYTES);
            slot.read(config, source, all);
            var view = scratch.create(all.asByteBuffer(), new Shape(shape), DataType.FLOAT32);
            try (var input = TorchValue.of(view);
                    var matrix = TorchValue.of(slot.matrix());
                    var copy = script.callRecording("kept", input, matrix)) {
                return copy.toArray(manager);
            }
        }
    }

    @Override
    public KvCache newCache(int rows) {
        return new Cache(rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        var plan = PassPlan.of(blocks, outputs, config);
        lock.lock();
        try {
            TensorThread.enterInference();
            return run(plan, outputs);
        } finally {
            lock.unlock();
        }
    }

    private PassResult run(PassPlan plan, PassOutputs outputs) {
        var norm = new HiddenState.AfterFinalNorm();
        long[] states =
                outputs.hiddenStates().stream()
                        .filter(HiddenState.AfterLayer.class::isInstance)
                        .mapToLong(state -> ((HiddenState.AfterLayer) state).layers())
                        .sorted()
                        .toArray();
        boolean normed = outputs.hiddenStates().contains(norm);
        try (var arena = Arena.ofConfined();
                var scratch = TensorRuntime.newManager()) {
            var caches = new ArrayList<NDArray>();
            var masks = new ArrayList<NDArray>();
            var spans = new long[3 * plan.blocks().size()];
            for (int index = 0; index < plan.blocks().size(); index++) {
                var block = plan.blocks().get(index);
                var cache = (Cache) block.cache();
                int before = cache.used();
                cache.append(block.positions());
                caches.add(cache.numbers);
                masks.add(mask(cache, before, block, scratch, arena));
                spans[3 * index] = plan.starts()[index];
                spans[3 * index + 1] = plan.starts()[index] + (long) block.tokens().length;
                spans[3 * index + 2] = before;
            }
            try (var tokens = TorchValue.of(scratch.create(longs(plan.tokens())));
                    var positions = TorchValue.of(scratch.create(longs(plan.positions())));
                    var cacheList = TorchValue.ofArrays(caches);
                    var spanList = TorchValue.ofLongs(spans);
                    var maskList = TorchValue.ofArrays(masks);
                    var stateList = TorchValue.ofLongs(states);
                    var normFlag = TorchValue.of(normed);
                    var asked = TorchValue.of(scratch.create(plan.rowsWithLogits()));
                    var found =
                            script.call(
                                    "run",
                                    tokens,
                                    positions,
                                    weights,
                                    cacheList,
                                    spanList,
                                    maskList,
                                    stateList,
                                    normFlag,
                                    asked,
                                    cosines,
                                    signedSines)) {
                var owner = TensorRuntime.newManager();
                var arrays = found.toArrays(owner).iterator();
                var hidden = new HashMap<HiddenState, NDArray>();
                for (long layers : states) {
                    hidden.put(new HiddenState.AfterLayer(Math.toIntExact(layers)), arrays.next());
                }
                if (normed) {
                    hidden.put(norm, arrays.next());
                }
                return new Result(
                        plan.logitRow(),
                        arrays.hasNext() ? Optional.of(arrays.next()) : Optional.empty(),
                        hidden,
                        owner);
            }
        }
    }

    /// Returns the attention mask of rows to a cache, `[rows, used]`: 0 where a row sees, negative infinity where it does not.
    private static NDArray mask(
            Cache cache, int first, RowBlock block, PtNDManager scratch, Arena arena) {
        int rows = block.tokens().length;
        int used = cache.used();
        var visibility = new Visibility(cache, first, block, OptionalInt.empty());
        var mask = arena.allocate((long) rows * used * Float.BYTES, Float.BYTES).asByteBuffer();
        var floats = mask.order(ByteOrder.nativeOrder()).asFloatBuffer();
        for (int row = 0; row < rows; row++) {
            for (int column = cache.length(); column < used; column++) {
                if (!visibility.sees(row, column)) {
                    floats.put(row * used + column, Float.NEGATIVE_INFINITY);
                }
            }
        }
        return scratch.create(mask, new Shape(rows, used), DataType.FLOAT32);
    }

    private static long[] longs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }

    /// Offers also its embedding and head, in 32-bit floats.
    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == SharedWeights.class
                ? Optional.of(type.cast(sharedWeights()))
                : DecoderNetwork.super.capability(type);
    }

    private SharedWeights sharedWeights() {
        lock.lock();
        try {
            if (shared.isEmpty()) {
                var embedding = widened(parameters.getFirst());
                var head = config.tiedHead() ? embedding : widened(parameters.getLast());
                shared =
                        Optional.of(
                                new SharedWeights(
                                        config.vocabularySize(),
                                        config.hiddenSize(),
                                        embedding,
                                        head));
            }
            return shared.get();
        } finally {
            lock.unlock();
        }
    }

    private MemorySegment widened(NDArray weight) {
        TensorThread.enterInference();
        try (var input = TorchValue.of(weight);
                var found = script.callRecording("widened", input)) {
            return memory(found.toArray(manager));
        }
    }

    private static MemorySegment memory(NDArray array) {
        return MemorySegment.ofBuffer(array.toByteBuffer(true));
    }

    @Override
    public void close() {
        weights.close();
        cosines.close();
        signedSines.close();
        script.close();
        manager.close();
    }

    /// Keys and values of one sequence, `[layers, 2, key-value heads, capacity, head size]`.
    private final class Cache extends RowCache {
        private final PtNDManager owner = TensorRuntime.newManager();
        private final NDArray numbers;

        Cache(int capacity) {
            super(capacity);
            TensorThread.enterInference();
            try (var shape =
                            TorchValue.ofLongs(
                                    config.layers(),
                                    2,
                                    config.keyValueHeads(),
                                    capacity,
                                    config.headSize());
                    var zeros = script.callRecording("zeros", shape)) {
                numbers = zeros.toArray(owner);
            }
        }

        @Override
        protected void move(int[] kept, int destination) {
            TensorThread.enterInference();
            try (var cache = TorchValue.of(numbers);
                    var rows = TorchValue.of(owner.create(longs(kept)));
                    var target = TorchValue.of((long) destination)) {
                script.call("move", cache, rows, target).close();
            }
        }

        @Override
        public void close() {
            owner.close();
        }
    }

    /// A result that reads the output tensors in place. Its segments can no longer be read after it is closed.
    private static final class Result implements PassResult {
        private final int[] logitRow;
        private final long withLogits;
        private final PtNDManager owner;
        private final Arena arena = Arena.ofConfined();
        private final Optional<MemorySegment> logits;
        private final Map<HiddenState, MemorySegment> hidden = new HashMap<>();
        private boolean closed;

        /// @param logitRow for each row of the pass its row in the logits, or -1
        /// @param logits   `[rows with logits, V]`
        /// @param hidden   `[rows, hiddenSize]` each
        /// @param owner    owns these tensors; closed with this object
        Result(
                int[] logitRow,
                Optional<NDArray> logits,
                Map<HiddenState, NDArray> hidden,
                PtNDManager owner) {
            this.logitRow = logitRow;
            this.owner = owner;
            withLogits = Arrays.stream(logitRow).filter(each -> each >= 0).count();
            this.logits = logits.map(this::view);
            hidden.forEach((state, array) -> this.hidden.put(state, view(array)));
        }

        private MemorySegment view(NDArray array) {
            var memory = memory(array);
            return memory.reinterpret(memory.byteSize(), arena, unused -> {});
        }

        @Override
        public int rows() {
            return logitRow.length;
        }

        @Override
        public MemorySegment logits(int row) {
            Require.that(logitRow[row] >= 0, "logits of row %d were not asked for", row);
            var all = logits.orElseThrow();
            long bytes = all.byteSize() / withLogits;
            return all.asSlice(logitRow[row] * bytes, bytes);
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            var states = hidden.get(which);
            if (states == null) {
                throw new IllegalArgumentException(which + " was not asked for");
            }
            if (row < 0 || row >= rows()) {
                throw new IndexOutOfBoundsException("row %d of %d".formatted(row, rows()));
            }
            long bytes = states.byteSize() / rows();
            return states.asSlice(row * bytes, bytes);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                arena.close();
                owner.close();
            }
        }
    }
}
