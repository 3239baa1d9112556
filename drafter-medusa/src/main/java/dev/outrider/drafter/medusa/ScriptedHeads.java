package dev.outrider.drafter.medusa;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Heads on the fast path: a few native calls for all of them, over prepacked weights where that pays. Only the best
/// tokens cross over to Java, never a row of logits.
///
/// Thread-safe: calls write to no shared tensor.
final class ScriptedHeads implements Heads {
    private final int count;
    private final Optional<SharedWeights> target;
    private final TorchScript script;
    private final TorchValue weights;
    private final int[] tokenMap;
    private final int vocabulary;
    private final int hiddenSize;

    /// @param source     numbers; read here only
    /// @param count      heads that are used, from the first; at least 1
    /// @param target     lends its projection with [Projection#TARGET]
    /// @param tokenMap   the target's token for each of a head's logits; empty if they are the target's
    public ScriptedHeads(
            HeadWeights source,
            int count,
            ElementType type,
            Optional<SharedWeights> target,
            int[] tokenMap) {
        this.count = count;
        this.target = target;
        this.tokenMap = tokenMap.clone();
        vocabulary = source.rows();
        hiddenSize = source.hiddenSize();
        boolean prepacked = PrepackedLinear.pays(type, hiddenSize);
        TensorThread.enterInference();
        script = TorchScript.compile(HeadScript.of(source, count, type, prepacked));
        try (var scratch = TensorRuntime.newManager()) {
            weights =
                    TorchValue.ofTensors(new Packer(source, type, prepacked, scratch).pack(count));
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public Guesses guess(MemorySegment hidden, int ranks, boolean probabilities) {
        TensorThread.enterInference();
        try (var scratch = TensorRuntime.newManager()) {
            var state = Tensor.ofFloats(scratch, hidden, 1, hiddenSize);
            try (var input = TorchValue.of(state);
                    var top = TorchValue.of((long) Math.min(ranks, vocabulary));
                    var normalised = TorchValue.of(probabilities);
                    var found = run(input, top, normalised, scratch)) {
                var arrays = found.toArrays(scratch);
                return new Guesses(tokens(arrays.get(1)), scores(arrays.get(0)));
            }
        }
    }

    @Override
    public void close() {
        weights.close();
        script.close();
    }

    private TorchValue run(
            TorchValue input, TorchValue top, TorchValue normalised, PtNDManager scratch) {
        if (target.isEmpty()) {
            return script.call("guess", input, weights, top, normalised);
        }
        try (var features = script.call("features", input, weights);
                var logits =
                        TorchValue.of(target.get().head(features.toTensor(scratch), scratch))) {
            return script.call("best", logits, top, normalised);
        }
    }

    private int[][] tokens(NDArray ids) {
        var flat = ids.toLongArray();
        int ranks = flat.length / count;
        var tokens = new int[count][ranks];
        for (int i = 0; i < flat.length; i++) {
            int id = Math.toIntExact(flat[i]);
            tokens[i / ranks][i % ranks] = tokenMap.length == 0 ? id : tokenMap[id];
        }
        return tokens;
    }

    private float[][] scores(NDArray values) {
        var flat = values.toFloatArray();
        int ranks = flat.length / count;
        var scores = new float[count][ranks];
        for (int i = 0; i < flat.length; i++) {
            scores[i / ranks][i % ranks] = flat[i];
        }
        return scores;
    }

    /// The weights in the order of [HeadScript]: the first blocks of all heads as one matrix, then each head's further
    /// blocks, then the projections.
    private record Packer(
            HeadWeights source, ElementType type, boolean prepacked, PtNDManager scratch) {
        List<Tensor> pack(int count) {
            int size = source.hiddenSize();
            var packed = new ArrayList<Tensor>();
            var first = new ArrayList<Tensor>();
            var firstBias = new ArrayList<Tensor>();
            for (int head = 0; head < count; head++) {
                first.add(tensor(source.block(head, 0), size, size));
                if (source.biased()) {
                    firstBias.add(tensor(source.bias(head, 0), size));
                }
            }
            packed.add(matrix(TensorOps.get().concatenate(first, scratch)));
            packed.add(bias(firstBias));
            for (int head = 0; head < count; head++) {
                for (int layer = 1; layer < source.layers(); layer++) {
                    packed.add(matrix(tensor(source.block(head, layer), size, size)));
                    packed.add(
                            bias(
                                    source.biased()
                                            ? List.of(tensor(source.bias(head, layer), size))
                                            : List.of()));
                }
            }
            int projections =
                    switch (source.projection()) {
                        case PER_HEAD -> count;
                        case ONE -> 1;
                        case TARGET -> 0;
                    };
            for (int head = 0; head < projections; head++) {
                packed.add(matrix(tensor(source.projection(head), source.rows(), size)));
            }
            return packed;
        }

        private Tensor matrix(Tensor weight) {
            return prepacked ? PrepackedLinear.pack(weight, scratch) : weight;
        }

        private Tensor bias(List<Tensor> parts) {
            return parts.isEmpty()
                    ? TensorOps.get().zeros(type, scratch, 0)
                    : TensorOps.get().concatenate(parts, scratch);
        }

        private Tensor tensor(float[] values, long... shape) {
            try (var raw = Tensor.of(scratch.create(values, new Shape(shape)))) {
                return TensorOps.get().convert(raw, type, scratch);
            }
        }
    }
}
