package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Hydra's heads in Java's vector code. A state is the hidden state h and the embeddings of all tokens since, end to end: head i reads
/// `x = [h; e_0; ..; e_i]`, e_0 the root's. Its first block is `R x + r + SiLU(W x + b)`, which brings x to the hidden size; R and W
/// are one product. Further blocks are Medusa's.
///
/// @see "Ankner et al. 2024 (Hydra), section 3"
final class HydraHeads implements SequenceHeads {
    private final int size;
    private final int vocabulary;
    private final TargetWeights target;
    private final HeadMatrices matrices;
    private final List<Head> heads = new ArrayList<>();

    /// One head.
    ///
    /// @param first W above R
    private record Head(
            VectorLinear first, List<VectorLinear> further, Optional<VectorLinear> projection) {}

    /// Sizes of a set of heads.
    ///
    /// @param hiddenSize    the target's, d
    /// @param vocabulary    number of logits, V
    /// @param layers        blocks of a head
    /// @param ownProjection whether every head has a projection of its own
    record Sizes(int hiddenSize, int vocabulary, int heads, int layers, boolean ownProjection) {
        /// Returns how many numbers a block reads.
        int read(int head, int layer) {
            return layer == 0 ? (head + 2) * hiddenSize : hiddenSize;
        }
    }

    /// @param guesses  heads that are used, from the first; at least 1
    /// @param matrices closed with this object
    /// @param target   shares embeddings and, with heads without one, its projection; closed with this object
    HydraHeads(Sizes sizes, int guesses, HeadMatrices matrices, TargetWeights target) {
        this.target = target;
        this.matrices = matrices;
        size = sizes.hiddenSize();
        vocabulary = sizes.vocabulary();
        for (int head = 0; head < guesses; head++) {
            heads.add(load(sizes, head));
        }
    }

    /// The first block and the matrix beside it, R and W, are one product.
    private Head load(Sizes sizes, int head) {
        int read = sizes.read(head, 0);
        var first = matrices.read(HydraCheckpoint.blockName(head, 0), size, read);
        var residual = matrices.read(HydraCheckpoint.residualName(head), size, read);
        return new Head(
                matrices.load(first.above(residual)),
                IntStream.range(1, sizes.layers())
                        .mapToObj(layer ->
                                matrices.load(HydraCheckpoint.blockName(head, layer), size, size))
                        .toList(),
                sizes.ownProjection()
                        ? Optional.of(
                                matrices.load(
                                        HydraCheckpoint.projectionName(head), vocabulary, size))
                        : Optional.empty());
    }

    /// Returns how many numbers are in the heads.
    long parameters() {
        return matrices.parameters();
    }

    @Override
    public int guesses() {
        return heads.size();
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public float[] start(float[] hidden) {
        return hidden;
    }

    @Override
    public List<float[]> after(List<float[]> states, int[] tokens) {
        float[] embeddings = target.embeddings(tokens);
        var after = new ArrayList<float[]>();
        for (int row = 0; row < tokens.length; row++) {
            float[] before = states.get(row);
            var state = new float[before.length + size];
            System.arraycopy(before, 0, state, 0, before.length);
            System.arraycopy(embeddings, row * size, state, before.length, size);
            after.add(state);
        }
        return after;
    }

    @Override
    public void logits(int guess, List<float[]> states, float[] logits) {
        var head = heads.get(guess);
        int rows = states.size();
        float[] x = first(head, states);
        HeadMatrices.residual(head.further(), x, rows);
        if (head.projection().isPresent()) {
            head.projection().get().apply(x, rows, logits);
        } else {
            target.head(x, rows, logits);
        }
    }

    /// The first block, `[rows, d]`.
    private float[] first(Head head, List<float[]> states) {
        int rows = states.size();
        var both = new float[rows * 2 * size];
        head.first().apply(HeadMatrices.stacked(states), rows, both);
        var gates = new float[rows * size];
        var x = new float[rows * size];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(both, 2 * row * size, gates, row * size, size);
            System.arraycopy(both, (2 * row + 1) * size, x, row * size, size);
        }
        VectorMath.addSilu(x, gates);
        return x;
    }

    @Override
    public void close() {
        matrices.close();
        target.close();
    }
}
