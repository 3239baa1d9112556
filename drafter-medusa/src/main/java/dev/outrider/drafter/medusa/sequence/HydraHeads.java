package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.network.Precision;
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
    private final Matrices matrices;
    private final List<Head> heads = new ArrayList<>();

    /// One head.
    ///
    /// @param first W above R
    private record Head(
            VectorLinear first, List<VectorLinear> further, Optional<VectorLinear> projection) {}

    /// @param source  numbers; read here only
    /// @param guesses heads that are used, from the first; at least 1
    /// @param target  lends embeddings and, to heads without one, its projection
    HydraHeads(Weights source, int guesses, Precision precision, TargetWeights target) {
        this.target = target;
        size = source.hiddenSize();
        vocabulary = source.vocabulary();
        matrices = new Matrices(precision);
        boolean whole = false;
        try {
            for (int head = 0; head < guesses; head++) {
                heads.add(read(source, head));
            }
            whole = true;
        } finally {
            if (!whole) {
                matrices.close();
            }
        }
    }

    private Head read(Weights source, int head) {
        return new Head(
                matrices.of(source.block(head, 0).above(source.residual(head))),
                IntStream.range(1, source.layers())
                        .mapToObj(layer -> matrices.of(source.block(head, layer)))
                        .toList(),
                source.projection(head).map(matrices::of));
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
        Matrices.through(head.further(), x, rows);
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
        head.first().apply(Matrices.stacked(states), rows, both);
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

    /// Where Hydra's heads get their numbers: a checkpoint, or random ones of a given shape.
    interface Weights {
        /// Width of the target's hidden state, d.
        int hiddenSize();

        /// Number of a head's logits, V.
        int vocabulary();

        /// Number of heads.
        int heads();

        /// Blocks of a head, at least 1.
        int layers();

        /// The matrix of a block, `[d, d]`; of the first, `[d, (head + 2) d]`.
        HeadTensors.Matrix block(int head, int layer);

        /// The matrix beside the first block, `[d, (head + 2) d]`.
        HeadTensors.Matrix residual(int head);

        /// A head's own projection, `[V, d]`; none where heads use the target's.
        Optional<HeadTensors.Matrix> projection(int head);
    }
}
