package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.training.FrozenTarget.TargetPasses;
import dev.outrider.training.RowSource.RowStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/// Rows and the target's passes over them, a file for each batch. Confined.
///
/// A file has the tokens of its rows and which of them are learned, `[rows, width]`; the number of a row's tokens, from the first,
/// that the target reads, and the position of the row source after the batch, `[2]`; then hidden states, `[rows, passed,
/// hiddenSize]`, and logits, `[rows, passed, V]`, in 16 bits if all their numbers are bfloat16, or for each token the values of
/// [TopLogits].
final class PassStore implements TargetPasses {
    private static final String TOKENS = "tokens";
    private static final String LEARNED = "learned";
    private static final String PASSED = "passed, consumed";
    private static final String LOGITS = "logits";
    private static final String TOP = "top logits";

    private final DecoderConfig target;
    private final int top;
    private final List<Place> places = new ArrayList<>();
    private final Map<Long, Place> byTokens = new HashMap<>();
    private int passed;

    private record Place(Path file, int row) {}

    /// @param files  in the order of their rows
    /// @param rows   number of rows that are used, from the first, if there are so many
    /// @param target the target of the passes
    /// @param top    number of logits of a token that are stored, 0 for all
    PassStore(List<Path> files, long rows, DecoderConfig target, int top) {
        this.target = target;
        this.top = top;
        for (var file : files) {
            try (var stored = CheckpointTensors.ofFile(file)) {
                var batch = batch(stored);
                passed = Math.clamp(stored.tensor(PASSED, 2).toLongs()[0], 0, batch.width());
                for (int row = 0; row < batch.rows() && places.size() < rows; row++) {
                    var place = new Place(file, row);
                    places.add(place);
                    int from = row * batch.width();
                    byTokens.putIfAbsent(hash(batch.tokens(), from, passed), place);
                }
            }
        }
    }

    /// Returns the tensors of a batch's file.
    ///
    /// @param outputs  of the pass over the rows' first tokens
    /// @param passed   number of these tokens
    /// @param consumed position of the row source after this batch
    /// @throws IllegalArgumentException if `top` is not less than the logits
    static List<StoredTensor> tensors(
            TokenRows batch, FrozenTarget.Outputs outputs, int passed, int top, long consumed) {
        int rows = batch.rows();
        var tensors = new ArrayList<StoredTensor>();
        tensors.add(StoredTensor.ofLongs(TOKENS, batch.tokens(), rows, batch.width()));
        tensors.add(StoredTensor.ofBooleans(LEARNED, batch.learned(), rows, batch.width()));
        tensors.add(StoredTensor.ofLongs(PASSED, new long[] {passed, consumed}, 2));
        outputs.hidden()
                .forEach((state, array) ->
                        tensors.add(
                                numbers(
                                        name(state),
                                        array.toFloatArray(),
                                        array.getShape().getShape())));
        outputs.logits()
                .ifPresent(logits -> {
                    int vocabulary = Math.toIntExact(logits.getShape().get(1));
                    float[] all = logits.toFloatArray();
                    tensors.add(
                            top == 0
                                    ? numbers(LOGITS, all, rows, passed, vocabulary)
                                    : largest(all, rows, passed, new TopLogits(top, vocabulary)));
                });
        return tensors;
    }

    /// A pass in bfloat16 gives numbers of 16 bits.
    private static StoredTensor numbers(String name, float[] values, long... shape) {
        for (float value : values) {
            if ((Float.floatToRawIntBits(value) & 0xFFFF) != 0) {
                return StoredTensor.ofFloats(name, values, shape);
            }
        }
        return StoredTensor.ofBfloat16(name, values, shape);
    }

    private static StoredTensor largest(float[] logits, int rows, int passed, TopLogits top) {
        long tokens = (long) rows * passed;
        var memory = Arena.ofAuto().allocate(tokens * top.size());
        for (int token = 0; token < tokens; token++) {
            top.write(logits, token * top.vocabulary(), memory, (long) token * top.size());
        }
        var shape = List.of((long) rows, (long) passed, (long) top.size());
        return new StoredTensor(TOP, TensorType.U8, shape, memory);
    }

    long rows() {
        return places.size();
    }

    /// Returns the position of the row source after a file's batch.
    static long consumed(CheckpointTensors file) {
        return file.tensor(PASSED, 2).toLongs()[1];
    }

    /// The rows of a file.
    static TokenRows batch(CheckpointTensors file) {
        var tokens = file.tensor(TOKENS);
        long[] learned = file.tensor(LEARNED, shape(tokens)).toLongs();
        var marks = new boolean[learned.length];
        for (int i = 0; i < marks.length; i++) {
            marks[i] = learned[i] != 0;
        }
        return new TokenRows(tokens.toLongs(), marks, Math.toIntExact(tokens.shape().getFirst()));
    }

    private static long[] shape(StoredTensor tensor) {
        return tensor.shape().stream().mapToLong(Long::longValue).toArray();
    }

    /// Returns a row in its original order.
    TokenRows row(long row) {
        var place = places.get(Math.toIntExact(row));
        try (var file = CheckpointTensors.ofFile(place.file())) {
            return batch(file).only(place.row());
        }
    }

    /// Computes passes over rows that are not stored, such as those of the validation.
    @Override
    public FrozenTarget.Outputs of(
            TokenRows batch,
            Set<HiddenState> wanted,
            boolean logits,
            PtNDManager manager,
            Supplier<FrozenTarget.Outputs> computed) {
        if (batch.width() != passed) {
            return computed.get();
        }
        int rows = batch.rows();
        int size = target.hiddenSize();
        int vocabulary = target.vocabularySize();
        var states = new HashMap<HiddenState, float[]>();
        wanted.forEach(state -> states.put(state, new float[rows * passed * size]));
        float[] all = new float[logits ? Math.multiplyExact(rows * passed, vocabulary) : 0];
        for (int row = 0; row < rows; row++) {
            var place = byTokens.get(hash(batch.tokens(), row * passed, passed));
            if (place == null) {
                return computed.get();
            }
            try (var file = CheckpointTensors.ofFile(place.file())) {
                int[] stored = batch(file).only(place.row()).columns(0, passed).row(0);
                if (!Arrays.equals(stored, batch.row(row)) || !has(file, wanted, logits)) {
                    return computed.get();
                }
                int to = row * passed;
                states.forEach((state, into) -> read(file, name(state), place, into, to, size));
                if (logits && top == 0) {
                    read(file, LOGITS, place, all, to, vocabulary);
                } else if (logits) {
                    largest(file, place, all, to);
                }
            }
        }
        var hidden = new HashMap<HiddenState, NDArray>();
        states.forEach((state, numbers) ->
                hidden.put(state, manager.create(numbers, new Shape(rows, passed, size))));
        return new FrozenTarget.Outputs(
                hidden,
                logits
                        ? Optional.of(manager.create(all, new Shape(rows * passed, vocabulary)))
                        : Optional.empty());
    }

    private boolean has(CheckpointTensors file, Set<HiddenState> states, boolean logits) {
        return states.stream().allMatch(state -> file.names().contains(name(state)))
                && (!logits || file.names().contains(top == 0 ? LOGITS : TOP));
    }

    /// @param to counts tokens
    private void read(
            CheckpointTensors file, String name, Place place, float[] into, int to, int width) {
        var tensor = file.tensor(name, rowsOf(file), passed, width).of(place.row());
        int count = passed * width;
        tensor.toFloats(MemorySegment.ofArray(into).asSlice(4L * to * width, 4L * count));
    }

    private void largest(CheckpointTensors file, Place place, float[] into, int to) {
        var kept = new TopLogits(top, target.vocabularySize());
        var memory = file.tensor(TOP, rowsOf(file), passed, kept.size()).of(place.row()).data();
        for (int token = 0; token < passed; token++) {
            kept.read(memory, (long) token * kept.size(), into, (to + token) * kept.vocabulary());
        }
    }

    private static long rowsOf(CheckpointTensors file) {
        return file.tensor(TOKENS).shape().getFirst();
    }

    private static String name(HiddenState state) {
        return switch (state) {
            case HiddenState.AfterLayer(int layers) -> "after layer " + layers;
            case HiddenState.AfterFinalNorm() -> "after the final norm";
        };
    }

    /// Returns the hash of a row's tokens; rows with the same hash are distinguished by their tokens.
    private static long hash(long[] tokens, int from, int count) {
        long hash = 0;
        for (int i = from; i < from + count; i++) {
            hash = (hash ^ tokens[i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /// The rows of a store again and again: first in their original order, then each time in another order, drawn from the seed.
    ///
    /// @param facts of the stored passes
    record StoredRows(PassStore store, long seed, String facts) implements RowSource {
        /// @param skip rows that an earlier run has read
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
