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

/// ReDrafter's head in Java's vector code. A state is the hidden state h and the draft state s, end to end. A token with the embedding e
/// turns s into `SiLU(U s + W e + b)`, one product, or `s + e`; s begins as zeros, and the root is the first token. Logits come from
/// `[h; s]`, through residual blocks and a projection that are the same for every guess.
///
/// @see "Cheng et al. 2024 (ReDrafter), section 3.1"
final class RecurrentHead implements SequenceHeads {
    private final int size;
    private final int guesses;
    private final int vocabulary;
    private final TargetWeights target;
    private final Matrices matrices;
    private final Optional<VectorLinear> recurrence;
    private final Optional<VectorLinear> input;
    private final List<VectorLinear> blocks;
    private final Optional<VectorLinear> projection;
    private final int exit;

    /// @param source  numbers; read here only
    /// @param guesses most guesses in a row, as many as one likes
    /// @param target  lends embeddings and, to a head without one, its projection
    RecurrentHead(Weights source, int guesses, Precision precision, TargetWeights target) {
        this.target = target;
        this.guesses = guesses;
        size = source.hiddenSize();
        vocabulary = source.vocabulary();
        exit = source.input().map(HeadTensors.Matrix::rows).orElse(2 * size);
        matrices = new Matrices(precision);
        boolean whole = false;
        try {
            recurrence =
                    source.state()
                            .map(state -> matrices.of(state.beside(source.token().orElseThrow())));
            input = source.input().map(matrices::of);
            blocks =
                    IntStream.range(0, source.layers())
                            .mapToObj(layer -> matrices.of(source.block(layer)))
                            .toList();
            projection = source.projection().map(matrices::of);
            whole = true;
        } finally {
            if (!whole) {
                matrices.close();
            }
        }
    }

    @Override
    public int guesses() {
        return guesses;
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public float[] start(float[] hidden) {
        var state = new float[2 * size];
        System.arraycopy(hidden, 0, state, 0, size);
        return state;
    }

    @Override
    public List<float[]> after(List<float[]> states, int[] tokens) {
        float[] embeddings = target.embeddings(tokens);
        float[] next =
                recurrence.isPresent()
                        ? recurrent(recurrence.get(), states, embeddings)
                        : summed(states, embeddings);
        var after = new ArrayList<float[]>();
        for (int row = 0; row < tokens.length; row++) {
            var state = start(states.get(row));
            System.arraycopy(next, row * size, state, size, size);
            after.add(state);
        }
        return after;
    }

    private float[] recurrent(VectorLinear recurrence, List<float[]> states, float[] embeddings) {
        int rows = states.size();
        var read = new float[rows * 2 * size];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(states.get(row), size, read, 2 * row * size, size);
            System.arraycopy(embeddings, row * size, read, (2 * row + 1) * size, size);
        }
        var open = new float[rows * size];
        recurrence.apply(read, rows, open);
        var next = new float[rows * size];
        VectorMath.addSilu(next, open);
        return next;
    }

    private float[] summed(List<float[]> states, float[] embeddings) {
        float[] next = embeddings.clone();
        for (int i = 0; i < next.length; i++) {
            next[i] += states.get(i / size)[size + i % size];
        }
        return next;
    }

    @Override
    public void logits(int guess, List<float[]> states, float[] logits) {
        int rows = states.size();
        float[] x = Matrices.stacked(states);
        if (input.isPresent()) {
            var narrowed = new float[rows * exit];
            input.get().apply(x, rows, narrowed);
            x = narrowed;
        }
        Matrices.through(blocks, x, rows);
        if (projection.isPresent()) {
            projection.get().apply(x, rows, logits);
        } else {
            target.head(x, rows, logits);
        }
    }

    @Override
    public void close() {
        matrices.close();
        target.close();
    }

    /// Where a recurrent head gets its numbers: a checkpoint, or random ones of a given shape.
    interface Weights {
        /// Width of the target's hidden state, d.
        int hiddenSize();

        /// Number of logits, V.
        int vocabulary();

        /// Blocks, at least 0.
        int layers();

        /// U, `[d, d]`, with the bias b; none where states are sums.
        Optional<HeadTensors.Matrix> state();

        /// W, `[d, d]`; none where states are sums.
        Optional<HeadTensors.Matrix> token();

        /// What brings hidden state and draft state to the width x that blocks read, `[x, 2 d]`; none where that is 2 d.
        Optional<HeadTensors.Matrix> input();

        /// The matrix of a block, `[x, x]`.
        HeadTensors.Matrix block(int layer);

        /// The head's own projection, `[V, x]`; none where it uses the target's.
        Optional<HeadTensors.Matrix> projection();
    }
}
