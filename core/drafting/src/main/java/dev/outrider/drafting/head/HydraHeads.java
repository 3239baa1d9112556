package dev.outrider.drafting.head;

import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Heads of Hydra and Hydra++ in Java's vector code, or on a device. A state is the concatenation of the state h, which a reader
/// computes from the target's, and the embeddings of all later tokens: head i reads `x = [h; e_0; ..; e_i]`, where e_0 is the
/// root's. Its first block is `R x + r + SiLU(W x + b)`, which projects x to the hidden size; W and R are one product. Further
/// blocks are `x + SiLU(W x + b)`.
///
/// @see "Ankner et al. 2024 (Hydra), sections 3 and 4"
public final class HydraHeads implements SequenceHeads {
    private final int size;
    private final int vocabulary;
    private final boolean ownProjection;
    private final HeadMatrices matrices;
    private final TargetWeights target;
    private final StateReader.Factory readers;
    private final List<Head> heads = new ArrayList<>();

    /// One head.
    ///
    /// @param first W above R; on a device the head up to its own projection, or to the target's
    private record Head(HeadPart first, List<HeadPart> further, Optional<HeadPart> projection) {}

    /// Sizes of a set of heads.
    ///
    /// @param hiddenSize    the target's, d
    /// @param vocabulary    number of logits, V
    /// @param blocks        blocks of a head
    /// @param ownProjection whether every head has a projection of its own
    public record Sizes(
            int hiddenSize, int vocabulary, int heads, int blocks, boolean ownProjection) {
        private int read(int head) {
            return (head + 2) * hiddenSize;
        }
    }

    /// Names of the linear layers of a layout, without `.weight` and `.bias`.
    public interface Names {
        /// Returns the name of W of a block.
        String block(int head, int block);

        /// Returns the name of R, beside the first block.
        String residual(int head);

        /// Returns the name of a head's own projection.
        String projection(int head);
    }

    /// Loads heads. If that fails, everything that this object would close is closed.
    ///
    /// @param guesses  heads that are used, from the first; at least 1
    /// @param matrices closed with this object
    /// @param target   shares embeddings and, with heads without one, its projection; closed with this object
    /// @param readers  of the states that heads begin from; closed with this object
    public HydraHeads(
            Sizes sizes,
            Names names,
            int guesses,
            HeadMatrices matrices,
            TargetWeights target,
            StateReader.Factory readers) {
        size = sizes.hiddenSize();
        vocabulary = sizes.vocabulary();
        ownProjection = sizes.ownProjection();
        this.matrices = matrices;
        this.target = target;
        this.readers = readers;
        try {
            for (int head = 0; head < guesses; head++) {
                heads.add(load(sizes, names, head));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /// Checks the names and the shapes of the tensors of all heads. A projection may have a bias, everything else must have one.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_SHAPE_MISMATCH` or
    ///     `DRAFTER_VOCABULARY_MISMATCH`
    public static void require(HeadTensors tensors, Sizes sizes, Names names) {
        int size = sizes.hiddenSize();
        for (int head = 0; head < sizes.heads(); head++) {
            for (int block = 0; block < sizes.blocks(); block++) {
                tensors.requireBiased(
                        names.block(head, block), size, block == 0 ? sizes.read(head) : size);
            }
            tensors.requireBiased(names.residual(head), size, sizes.read(head));
            if (sizes.ownProjection()) {
                var name = names.projection(head);
                tensors.requireTokens(
                        name + ".weight", sizes.vocabulary(), size, "logit of the target");
                if (tensors.has(name + ".bias")) {
                    tensors.require(name + ".bias", sizes.vocabulary());
                }
            }
        }
    }

    private Head load(Sizes sizes, Names names, int head) {
        int read = sizes.read(head);
        var first = matrices.read(names.block(head, 0), size, read);
        var residual = matrices.read(names.residual(head), size, read);
        var further =
                IntStream.range(1, sizes.blocks())
                        .mapToObj(block -> matrices.read(names.block(head, block), size, size))
                        .toList();
        var projection =
                Optional.of(names.projection(head))
                        .filter(_ -> sizes.ownProjection())
                        .map(name -> matrices.read(name, vocabulary, size));
        if (matrices.onDevice()) {
            var blocks = Stream.concat(Stream.of(first), further.stream()).toList();
            var whole = new HeadPart.Weights(blocks, Optional.of(residual), projection);
            return new Head(matrices.load(whole), List.of(), Optional.empty());
        }
        return new Head(
                matrices.load(first.above(residual)),
                further.stream().map(matrices::load).toList(),
                projection.map(matrices::load));
    }

    /// Returns the number of parameters of the heads that are used.
    public long parameters() {
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
    public StateReader reader(int capacity) {
        return readers.reader(capacity);
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
        boolean whole = matrices.onDevice() && ownProjection;
        float[] x = whole ? logits : new float[rows * size];
        first(head, states, x);
        HeadMatrices.residual(head.further(), x, rows);
        if (head.projection().isPresent()) {
            head.projection().get().apply(x, rows, logits);
        } else if (!whole) {
            target.head(x, rows, logits);
        }
    }

    /// Computes the first block, and on a device all that is loaded with it.
    ///
    /// @param x receives `[rows, d]`, or logits
    private void first(Head head, List<float[]> states, float[] x) {
        int rows = states.size();
        if (matrices.onDevice()) {
            head.first().apply(HeadMatrices.stacked(states), rows, x);
            return;
        }
        var both = new float[rows * 2 * size];
        head.first().apply(HeadMatrices.stacked(states), rows, both);
        var gates = new float[rows * size];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(both, 2 * row * size, gates, row * size, size);
            System.arraycopy(both, (2 * row + 1) * size, x, row * size, size);
        }
        VectorMath.addSilu(x, gates);
    }

    @Override
    public void close() {
        matrices.close();
        readers.close();
        target.close();
    }
}
