package dev.outrider.drafter.medusa;

import dev.outrider.drafter.medusa.GuessTree.Guesses;
import dev.outrider.drafting.TopTokens;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Heads in Java's vector code. A block is `x + SiLU(W x + b)`; the first blocks read the same input, so they are one product.
/// Where one projection serves all heads, so is that. Thread-safe: every call has arrays of its own.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1"
final class VectorHeads implements AutoCloseable {
    private final int count;
    private final int size;
    private final int vocabulary;
    private final int[] tokenMap;
    private final HeadMatrices matrices;
    private final VectorLinear first;
    private final List<List<VectorLinear>> further = new ArrayList<>();
    private final List<VectorLinear> projections = new ArrayList<>();
    private final Optional<TargetWeights> target;

    /// Where heads get their logits from.
    enum Projection {
        /// Every head has a matrix of its own (the first checkpoints).
        PER_HEAD,
        /// One matrix in the checkpoint serves all heads.
        ONE,
        /// The target's language-model head serves all heads (second version).
        TARGET
    }

    /// Sizes of a set of heads.
    ///
    /// @param hiddenSize the target's, d
    /// @param rows       logits of a head
    /// @param layers     residual blocks of a head, at least 1
    record Sizes(int hiddenSize, int rows, int heads, int layers, Projection projection) {
        /// Returns how many projections the first heads have.
        int projections(int count) {
            return switch (projection) {
                case PER_HEAD -> count;
                case ONE -> 1;
                case TARGET -> 0;
            };
        }
    }

    /// @param names    of the matrices
    /// @param count    heads that are used, from the first; at least 1
    /// @param matrices closed with this object
    /// @param target   its projection, with [Projection#TARGET]; closed with this object
    /// @param tokenMap the target's token for each of a head's logits; empty if they are the target's
    VectorHeads(
            Sizes sizes,
            MedusaCheckpoint.Layout names,
            int count,
            HeadMatrices matrices,
            Optional<TargetWeights> target,
            int[] tokenMap) {
        this.count = count;
        this.matrices = matrices;
        this.target = target;
        this.tokenMap = tokenMap.clone();
        size = sizes.hiddenSize();
        vocabulary = sizes.rows();
        first =
                matrices.load(
                        IntStream.range(0, count)
                                .mapToObj(head -> matrices.read(names.block(head, 0), size, size))
                                .reduce(HeadTensors.Matrix::above)
                                .orElseThrow());
        for (int head = 0; head < count; head++) {
            var blocks = new ArrayList<VectorLinear>();
            for (int layer = 1; layer < sizes.layers(); layer++) {
                blocks.add(matrices.load(names.block(head, layer), size, size));
            }
            further.add(blocks);
        }
        for (int head = 0; head < sizes.projections(count); head++) {
            var name = names.projection(sizes.projection(), head, sizes.layers());
            projections.add(matrices.load(name, vocabulary, size));
        }
    }

    /// Returns how many numbers are in the heads.
    long parameters() {
        return matrices.parameters();
    }

    /// Returns the number of heads.
    int count() {
        return count;
    }

    /// Returns the best tokens of every head.
    ///
    /// @param hidden        the target's hidden state, `[d]`
    /// @param ranks         tokens of each head
    /// @param probabilities whether their scores are log probabilities; logits otherwise
    Guesses guess(float[] hidden, int ranks, boolean probabilities) {
        float[] logits = logits(features(hidden));
        var tokens = new int[count][];
        var scores = new float[count][];
        for (int head = 0; head < count; head++) {
            int at = head * vocabulary;
            var row = Arrays.copyOfRange(logits, at, at + vocabulary);
            int[] best = TopTokens.of(row, ranks);
            double sum = probabilities ? VectorMath.logSumExp(row, 0, vocabulary) : 0;
            tokens[head] = new int[best.length];
            scores[head] = new float[best.length];
            for (int rank = 0; rank < best.length; rank++) {
                scores[head][rank] = (float) (row[best[rank]] - sum);
                tokens[head][rank] = tokenMap.length == 0 ? best[rank] : tokenMap[best[rank]];
            }
        }
        return new Guesses(tokens, scores);
    }

    /// From the hidden state to the heads' outputs `[count, size]`.
    private float[] features(float[] state) {
        var features = new float[count * size];
        for (int head = 0; head < count; head++) {
            System.arraycopy(state, 0, features, head * size, size);
        }
        var gates = new float[count * size];
        first.apply(state, 1, gates);
        VectorMath.addSilu(features, gates);
        for (int head = 0; head < count; head++) {
            var own = Arrays.copyOfRange(features, head * size, (head + 1) * size);
            HeadMatrices.residual(further.get(head), own, 1);
            System.arraycopy(own, 0, features, head * size, size);
        }
        return features;
    }

    private float[] logits(float[] features) {
        var logits = new float[count * vocabulary];
        if (target.isPresent()) {
            target.get().head(features, count, logits);
        } else if (projections.size() == 1) {
            projections.getFirst().apply(features, count, logits);
        } else {
            for (int head = 0; head < count; head++) {
                var own = new float[vocabulary];
                projections
                        .get(head)
                        .apply(
                                Arrays.copyOfRange(features, head * size, (head + 1) * size),
                                1,
                                own);
                System.arraycopy(own, 0, logits, head * vocabulary, vocabulary);
            }
        }
        return logits;
    }

    @Override
    public void close() {
        matrices.close();
        target.ifPresent(TargetWeights::close);
    }
}
