package dev.outrider.drafter.lookahead;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import java.util.List;
import java.util.Set;

/// Small targets: tables that are easy, hard and moderately hard to predict, and a real network.
final class Toys {
    static final int VOCABULARY = 7;
    static final int NETWORK_VOCABULARY = 40;
    private static final double PEAK = 20;

    private Toys() {}

    /// The next token follows from the last one alone; the sequence is a circle of seven.
    static TableModel circle() {
        return peaked(prefix -> (last(prefix, 1) + 3) % VOCABULARY);
    }

    /// The next token follows from the last two.
    static TableModel pairs() {
        return peaked(prefix -> (2 * last(prefix, 1) + last(prefix, 2) + 1) % VOCABULARY);
    }

    /// Unrelated distributions after every prefix: nothing can be predicted.
    static TableModel chaos() {
        return TableModel.random(VOCABULARY, DistributionStyle.DENSE, 5);
    }

    private interface Next {
        int after(List<Integer> prefix);
    }

    private static TableModel peaked(Next next) {
        return TableModel.of(
                VOCABULARY,
                prefix -> {
                    var distribution = new double[VOCABULARY];
                    for (int token = 0; token < VOCABULARY; token++) {
                        distribution[token] = 1 + token * .01;
                    }
                    distribution[next.after(prefix)] = PEAK;
                    return distribution;
                });
    }

    private static int last(List<Integer> prefix, int back) {
        return prefix.size() < back ? 0 : prefix.get(prefix.size() - back);
    }

    /// A decoder of two layers with random weights, on the real network.
    static TargetModel network() {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny", "vector/f32", NETWORK_VOCABULARY, 32, 2, 256, 0, Set.of(), "00"),
                new LetterTokenizer(NETWORK_VOCABULARY),
                scripted(),
                1,
                () -> Long.MAX_VALUE);
    }

    static VectorNetwork scripted() {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(NETWORK_VOCABULARY)
                        .hiddenSize(32)
                        .intermediateSize(48)
                        .layers(2)
                        .heads(4)
                        .keyValueHeads(2)
                        .maxPositions(256)
                        .build();
        return new VectorNetwork(config, new RandomWeights(config, 5, 1), Precision.F32);
    }
}
