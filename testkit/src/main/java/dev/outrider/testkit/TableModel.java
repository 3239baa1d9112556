package dev.outrider.testkit;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/// A model whose law after every prefix is a table, made up when first asked for and the same ever after.
///
/// Thread-safe.
public final class TableModel {
    private final int vocabulary;
    private final Function<List<Integer>, double[]> weights;
    private final Map<List<Integer>, float[]> rows = new HashMap<>();

    private TableModel(int vocabulary, Function<List<Integer>, double[]> weights) {
        this.vocabulary = vocabulary;
        this.weights = weights;
    }

    /// {@return unrelated random laws of one style after every prefix}
    ///
    /// @param vocabulary number of tokens V
    /// @param style kind of law
    /// @param seed seed of the laws
    public static TableModel random(int vocabulary, LawStyle style, long seed) {
        return new TableModel(
                vocabulary,
                prefix -> {
                    var random = new SplittableRandom(31 * seed + prefix.hashCode());
                    return style.sample(random.split(), vocabulary);
                });
    }

    /// {@return the same law after every prefix}
    ///
    /// @param law weights of shape `[V]`, which need not sum to 1
    public static TableModel constant(double... law) {
        return new TableModel(law.length, prefix -> law);
    }

    /// {@return laws computed from the prefix}
    ///
    /// @param weights prefix to weights of shape `[V]`, which need not sum to 1
    /// @param vocabulary number of tokens V
    public static TableModel of(int vocabulary, Function<List<Integer>, double[]> weights) {
        return new TableModel(vocabulary, weights);
    }

    /// {@return number of tokens V}
    public int vocabulary() {
        return vocabulary;
    }

    /// {@return logits after a prefix, shape `[V]`; impossible tokens have minus infinity} Shared: not to be written to.
    ///
    /// @param prefix tokens so far
    public synchronized float[] logits(int... prefix) {
        var key = Arrays.stream(prefix).boxed().toList();
        return rows.computeIfAbsent(key, this::row);
    }

    private float[] row(List<Integer> prefix) {
        double[] law = weights.apply(prefix);
        var row = new float[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            row[token] = (float) Math.log(law[token]);
        }
        return row;
    }

    /// {@return the law after a prefix under a policy, computed from the same 32-bit logits as a session's}
    ///
    /// @param policy how tokens are sampled
    /// @param prefix tokens so far
    public double[] law(SamplingPolicy policy, int... prefix) {
        var segment = MemorySegment.ofArray(logits(prefix));
        return policy.law(segment, vocabulary, TokenHistory.of(prefix));
    }
}
