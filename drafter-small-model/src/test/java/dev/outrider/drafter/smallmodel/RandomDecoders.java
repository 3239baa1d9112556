package dev.outrider.drafter.smallmodel;

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

/// Tiny decoders with random weights on the real network. A decoder with fewer layers has the same weights in those layers, so it
/// guesses better than chance.
final class RandomDecoders {
    static final int VOCABULARY = 40;
    static final int TARGET_LAYERS = 3;
    private static final int POSITIONS = 256;
    private static final long SEED = 5;

    private RandomDecoders() {}

    static TargetModel target() {
        return target(network(TARGET_LAYERS), "vector/f32");
    }

    /// Returns the same in Java's vector code, where a row's numbers do not depend on the other rows of the pass.
    static TargetModel vectorTarget() {
        return vectorTarget(vectorNetwork(TARGET_LAYERS));
    }

    static TargetModel vectorTarget(DecoderNetwork network) {
        return target(network, "vector/f32");
    }

    private static TargetModel target(DecoderNetwork network, String backend) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        backend,
                        VOCABULARY,
                        32,
                        TARGET_LAYERS,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00"),
                new LetterTokenizer(VOCABULARY),
                network,
                1,
                () -> Long.MAX_VALUE);
    }

    static DraftModel draft(int layers) {
        return draft(network(layers));
    }

    static DraftModel draft(DecoderNetwork network) {
        return new DraftModel(
                network,
                new LetterTokenizer(VOCABULARY),
                VOCABULARY,
                POSITIONS,
                1,
                "",
                Optional.empty());
    }

    static DecoderNetwork vectorNetwork(int layers) {
        var config = config(layers);
        return new VectorNetwork(config, new RandomWeights(config, SEED, 1), Precision.F32);
    }

    private static VectorNetwork network(int layers) {
        var config = config(layers);
        return new VectorNetwork(config, new RandomWeights(config, SEED, 1), Precision.F32);
    }

    private static DecoderConfig config(int layers) {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(32)
                .intermediateSize(48)
                .layers(layers)
                .heads(4)
                .keyValueHeads(2)
                .maxPositions(POSITIONS)
                .build();
    }
}
