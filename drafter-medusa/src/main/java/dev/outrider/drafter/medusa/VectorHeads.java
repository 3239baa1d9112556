package dev.outrider.drafter.medusa;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Heads in Java's vector code, or on a device, which runs a head in one go. A block is `x + SiLU(W x + b)`; the first blocks read
/// the same input, so they are one product. If one projection serves all heads, it is one product too. Thread-safe: every call has
/// arrays of its own.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1"
final class VectorHeads implements AutoCloseable {
    private final int count;
    private final int size;
    private final int rows;
    private final int[] order;
    private final DraftVocabulary vocabulary;
    private final HeadMatrices matrices;

    /// The first blocks of all heads, one matrix; none on a device.
    private final List<HeadPart> first = new ArrayList<>();

    /// Runs a head's further blocks in place; on a device all its blocks, or nothing if its projection contains them.
    private final List<Consumer<float[]>> further = new ArrayList<>();

    private final List<HeadPart> projections = new ArrayList<>();
    private final Optional<TargetWeights> target;

    /// The projection from which heads get their logits.
    enum Projection {
        /// Every head has its own matrix (the first checkpoints).
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
        /// Returns the number of projections of the first heads.
        int projections(int count) {
            return switch (projection) {
                case PER_HEAD -> count;
                case ONE -> 1;
                case TARGET -> 0;
            };
        }

        /// Returns the name of a head's own projection or of that of all heads, without `.weight`.
        String projectionName(MedusaLayout names, int head) {
            return projection == Projection.ONE
                    ? names.oneProjection().orElseThrow()
                    : names.projection(head, layers);
        }
    }

    /// @param names    of the matrices
    /// @param count    heads that are used, from the first; at least 1
    /// @param matrices closed with this object
    /// @param target   its projection, with [Projection#TARGET]; closed with this object
    /// @param tokenMap the target's token for each of a head's logits; empty if they are the target's
    /// @param tokens   the target's number of tokens
    VectorHeads(
            Sizes sizes,
            MedusaLayout names,
            int count,
            HeadMatrices matrices,
            Optional<TargetWeights> target,
            int[] tokenMap,
            int tokens) {
        this.count = count;
        this.matrices = matrices;
        this.target = target;
        size = sizes.hiddenSize();
        rows = sizes.rows();
        order =
                IntStream.range(0, tokenMap.length)
                        .boxed()
                        .sorted(Comparator.comparingInt(row -> tokenMap[row]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        vocabulary =
                order.length == 0
                        ? new DraftVocabulary(rows, tokens)
                        : DraftVocabulary.of(
                                IntStream.of(order).map(row -> tokenMap[row]).toArray(), tokens);
        boolean device = matrices.onDevice();
        boolean whole = device && sizes.projection() == Projection.PER_HEAD;
        if (!device) {
            first.add(
                    matrices.load(
                            IntStream.range(0, count)
                                    .mapToObj(head -> block(names, head, 0))
                                    .reduce(LinearWeights::above)
                                    .orElseThrow()));
        }
        for (int number = 0; number < count; number++) {
            int head = number;
            var blocks =
                    IntStream.range(device ? 0 : 1, sizes.layers())
                            .mapToObj(layer -> block(names, head, layer))
                            .toList();
            if (device) {
                var own =
                        Optional.of(head)
                                .filter(_ -> whole)
                                .map(_ -> projection(sizes, names, head));
                var part = matrices.load(new HeadPart.Weights(blocks, Optional.empty(), own));
                own.ifPresent(_ -> projections.add(part));
                further.add(whole ? _ -> {} : x -> part.apply(x, 1, x));
            } else {
                var loaded = blocks.stream().map(matrices::load).toList();
                further.add(x -> HeadMatrices.residual(loaded, x, 1));
            }
        }
        for (int head = projections.size(); head < sizes.projections(count); head++) {
            projections.add(matrices.load(projection(sizes, names, head)));
        }
    }

    private LinearWeights block(MedusaLayout names, int head, int layer) {
        return matrices.read(names.block(head, layer), size, size);
    }

    private LinearWeights projection(Sizes sizes, MedusaLayout names, int head) {
        var stored = matrices.read(sizes.projectionName(names, head), rows, size);
        return order.length == 0 ? stored : stored.rows(order);
    }

    /// Returns the number of parameters of the heads.
    long parameters() {
        return matrices.parameters();
    }

    /// Returns the number of heads.
    int count() {
        return count;
    }

    /// Returns the target's tokens of the logits.
    DraftVocabulary vocabulary() {
        return vocabulary;
    }

    /// Returns the logits of every head, `[count, rows]`, in the order of the vocabulary.
    ///
    /// @param hidden the target's hidden state, `[d]`
    float[] logits(float[] hidden) {
        return projected(features(hidden));
    }

    /// Returns the heads' outputs `[count, size]`.
    private float[] features(float[] state) {
        var features = new float[count * size];
        for (int head = 0; head < count; head++) {
            System.arraycopy(state, 0, features, head * size, size);
        }
        var gates = new float[count * size];
        for (var blocks : first) {
            blocks.apply(state, 1, gates);
            VectorMath.addSilu(features, gates);
        }
        for (int head = 0; head < count; head++) {
            var own = Arrays.copyOfRange(features, head * size, (head + 1) * size);
            further.get(head).accept(own);
            System.arraycopy(own, 0, features, head * size, size);
        }
        return features;
    }

    private float[] projected(float[] features) {
        var logits = new float[count * rows];
        if (target.isPresent()) {
            target.get().head(features, count, logits);
        } else if (projections.size() == 1) {
            projections.getFirst().apply(features, count, logits);
        } else {
            for (int head = 0; head < count; head++) {
                var own = new float[rows];
                projections
                        .get(head)
                        .apply(
                                Arrays.copyOfRange(features, head * size, (head + 1) * size),
                                1,
                                own);
                System.arraycopy(own, 0, logits, head * rows, rows);
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
