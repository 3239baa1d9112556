package dev.outrider.testkit;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/// A model whose distribution after every prefix is a table, generated at the first request and then constant.
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

    /// {@return unrelated random distributions of one style after every prefix}
    ///
    /// @param vocabulary number of tokens V
    /// @param style kind of distribution
    /// @param seed seed of the distributions
    public static TableModel random(int vocabulary, DistributionStyle style, long seed) {
        return new TableModel(
                vocabulary,
                prefix -> {
                    var random = new SplittableRandom(31 * seed + prefix.hashCode());
                    return style.sample(random.split(), vocabulary);
                });
    }

    /// {@return the same distribution after every prefix}
    ///
    /// @param distribution weights of shape `[V]`, which need not sum to 1
    public static TableModel constant(double... distribution) {
        return new TableModel(distribution.length, prefix -> distribution);
    }

    /// {@return distributions computed from the prefix}
    ///
    /// @param weights prefix to weights of shape `[V]`, which need not sum to 1
    /// @param vocabulary number of tokens V
    public static TableModel of(int vocabulary, Function<List<Integer>, double[]> weights) {
        return new TableModel(vocabulary, weights);
    }

    /// {@return this model for texts that follow a source: its distribution after source and text as one prefix}
    ///
    /// @param source tokens of an encoder's input; with none it is this model itself
    public TableModel after(List<Integer> source) {
        return source.isEmpty()
                ? this
                : new TableModel(
                        vocabulary,
                        text ->
                                weights.apply(
                                        Stream.concat(source.stream(), text.stream()).toList()));
    }

    /// {@return number of tokens V}
    public int vocabulary() {
        return vocabulary;
    }

    /// {@return logits after a prefix, shape `[V]`; impossible tokens have minus infinity} Shared: do not write to it.
    ///
    /// @param prefix tokens so far
    public synchronized float[] logits(int... prefix) {
        var key = Arrays.stream(prefix).boxed().toList();
        return rows.computeIfAbsent(key, this::row);
    }

    private float[] row(List<Integer> prefix) {
        double[] distribution = weights.apply(prefix);
        var row = new float[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            row[token] = (float) Math.log(distribution[token]);
        }
        return row;
    }

    /// {@return the distribution after a prefix under a policy, computed from the same 32-bit logits as a session's}
    ///
    /// @param policy how tokens are sampled
    /// @param prefix tokens so far
    public double[] distribution(SamplingPolicy policy, int... prefix) {
        var segment = MemorySegment.ofArray(logits(prefix));
        return Distributions.of(policy, segment, vocabulary, TokenHistory.of(prefix));
    }
}
