package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.sequence.RedrafterCheckpoint.RedrafterNames;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// ReDrafter's head in Java's vector code. A state is the concatenation of the hidden state h and the draft state s. A token with
/// the embedding e changes s to `SiLU(U s + W e + b)`, one product, or to `s + e`; s starts with zeros, and the root is the first
/// token. Logits are computed from `[h; s]`, through residual blocks and a projection that are the same for every guess.
///
/// @see "Cheng et al. 2024 (ReDrafter), section 3.1"
final class RecurrentHead implements SequenceHeads {
    private final int size;
    private final int guesses;
    private final int vocabulary;
    private final TargetWeights target;
    private final HeadMatrices matrices;
    private final Optional<HeadPart> recurrence;
    private final Optional<HeadPart> input;
    private final List<HeadPart> blocks;
    private final Optional<HeadPart> projection;
    private final int exit;

    /// Sizes of a head.
    ///
    /// @param hiddenSize    the target's, d
    /// @param vocabulary    number of logits, V
    /// @param exit          width x of the blocks' input; if it is not 2 d, a matrix computes it from hidden state and draft state
    /// @param layers        blocks, at least 0
    /// @param recurrent     whether the draft state is recurrent; otherwise it is the sum of the embeddings
    /// @param ownProjection whether the head has a projection of its own
    record Sizes(
            int hiddenSize,
            int vocabulary,
            int exit,
            int layers,
            boolean recurrent,
            boolean ownProjection) {
        /// Returns whether a matrix computes the blocks' input.
        boolean narrowed() {
            return exit != 2 * hiddenSize;
        }
    }

    /// @param guesses  greatest number of guesses in a chain; any number is possible
    /// @param matrices closed with this object
    /// @param target   shares embeddings and, with a head without one, its projection; closed with this object
    RecurrentHead(Sizes sizes, int guesses, HeadMatrices matrices, TargetWeights target) {
        this.target = target;
        this.guesses = guesses;
        this.matrices = matrices;
        size = sizes.hiddenSize();
        vocabulary = sizes.vocabulary();
        exit = sizes.exit();
        recurrence = sizes.recurrent() ? Optional.of(recurrence()) : Optional.empty();
        input =
                sizes.narrowed()
                        ? Optional.of(matrices.load(RedrafterNames.INPUT, exit, 2 * size))
                        : Optional.empty();
        blocks =
                IntStream.range(0, sizes.layers())
                        .mapToObj(
                                layer -> matrices.load(RedrafterNames.blockName(layer), exit, exit))
                        .toList();
        projection =
                sizes.ownProjection()
                        ? Optional.of(
                                matrices.load(
                                        RedrafterNames.projectionName(sizes.layers()),
                                        vocabulary,
                                        exit))
                        : Optional.empty();
    }

    private HeadPart recurrence() {
        var state = matrices.read(RedrafterNames.STATE, size, size);
        return matrices.load(state.beside(matrices.read(RedrafterNames.TOKEN, size, size)));
    }

    /// Returns the number of parameters of the head.
    long parameters() {
        return matrices.parameters();
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

    private float[] recurrent(HeadPart recurrence, List<float[]> states, float[] embeddings) {
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
        float[] x = HeadMatrices.stacked(states);
        if (input.isPresent()) {
            var narrowed = new float[rows * exit];
            input.get().apply(x, rows, narrowed);
            x = narrowed;
        }
        HeadMatrices.residual(blocks, x, rows);
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
}
