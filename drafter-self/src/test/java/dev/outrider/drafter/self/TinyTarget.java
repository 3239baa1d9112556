package dev.outrider.drafter.self;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A tiny decoder with random weights on the real networks.
final class TinyTarget {
    static final int VOCABULARY = 24;
    static final int LAYERS = 4;
    static final int POSITIONS = 256;

    private TinyTarget() {}

    /// In Java's vector code.
    static TargetModel open(Precision precision) {
        return open(precision, network -> network);
    }

    /// In Java's vector code, with a wrapper around the network.
    static TargetModel open(Precision precision, UnaryOperator<DecoderNetwork> around) {
        return target(around.apply(new VectorNetwork(config(), weights(), precision)));
    }

    private static RandomWeights weights() {
        return new RandomWeights(config(), 5, 1);
    }

    private static TargetModel target(DecoderNetwork network) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "test",
                        VOCABULARY,
                        config().hiddenSize(),
                        LAYERS,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00",
                        Optional.empty()),
                new LetterTokenizer(VOCABULARY),
                network,
                1,
                () -> Long.MAX_VALUE);
    }

    private static DecoderConfig config() {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(32)
                .intermediateSize(48)
                .layers(LAYERS)
                .heads(4)
                .keyValueHeads(2)
                .headSize(8)
                .maxPositions(POSITIONS)
                .build();
    }
}
