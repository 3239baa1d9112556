package dev.outrider.drafter.medusa;

import dev.outrider.drafting.TopTokens;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Heads in Java's vector code. A block is `x + SiLU(W x + b)`; the first blocks read the same input, so they are one product.
/// Where one projection serves all heads, so is that. Thread-safe: every call has arrays of its own.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1"
final class VectorHeads implements Heads {
    private final int count;
    private final int size;
    private final int vocabulary;
    private final int[] tokenMap;
    private final VectorLinear first;
    private final List<List<VectorLinear>> further = new ArrayList<>();
    private final List<VectorLinear> projections = new ArrayList<>();
    private final Optional<TargetWeights> target;

    /// @param source   numbers; read here only
    /// @param count    heads that are used, from the first; at least 1
    /// @param target   its projection, with [Projection#TARGET]; closed with this object
    /// @param tokenMap the target's token for each of a head's logits; empty if they are the target's
    VectorHeads(
            HeadWeights source,
            int count,
            Precision precision,
            Optional<TargetWeights> target,
            int[] tokenMap) {
        this.count = count;
        this.target = target;
        this.tokenMap = tokenMap.clone();
        size = source.hiddenSize();
        vocabulary = source.rows();
        first = block(source, 0, count, 0, precision);
        for (int head = 0; head < count; head++) {
            var blocks = new ArrayList<VectorLinear>();
            for (int layer = 1; layer < source.layers(); layer++) {
                blocks.add(block(source, head, head + 1, layer, precision));
            }
            further.add(blocks);
        }
        int own =
                switch (source.projection()) {
                    case PER_HEAD -> count;
                    case ONE -> 1;
                    case TARGET -> 0;
                };
        for (int head = 0; head < own; head++) {
            projections.add(
                    VectorLinear.of(
                            "projection of head %d".formatted(head),
                            source.projection(head),
                            vocabulary,
                            size,
                            precision,
                            Optional.empty()));
        }
    }

    /// The blocks of a layer of some heads as one matrix.
    private static VectorLinear block(
            HeadWeights source, int from, int end, int layer, Precision precision) {
        int size = source.hiddenSize();
        int heads = end - from;
        var numbers = new float[Math.multiplyExact(heads * size, size)];
        var bias = new float[heads * size];
        for (int head = from; head < end; head++) {
            System.arraycopy(
                    source.block(head, layer),
                    0,
                    numbers,
                    (head - from) * size * size,
                    size * size);
            if (source.biased()) {
                System.arraycopy(source.bias(head, layer), 0, bias, (head - from) * size, size);
            }
        }
        return VectorLinear.of(
                "block %d of head %d".formatted(layer, from),
                numbers,
                heads * size,
                size,
                precision,
                source.biased() ? Optional.of(bias) : Optional.empty());
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public Guesses guess(MemorySegment hidden, int ranks, boolean probabilities) {
        float[] logits = logits(features(hidden.toArray(ValueLayout.JAVA_FLOAT)));
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
            var gate = new float[size];
            for (var block : further.get(head)) {
                block.apply(own, 1, gate);
                VectorMath.addSilu(own, gate);
            }
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
        first.close();
        further.forEach(blocks -> blocks.forEach(VectorLinear::close));
        projections.forEach(VectorLinear::close);
        target.ifPresent(TargetWeights::close);
    }
}
