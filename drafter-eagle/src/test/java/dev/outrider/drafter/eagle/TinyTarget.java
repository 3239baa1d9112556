package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.util.Set;

/// A tiny decoder with random weights on the real network, in 32 bits.
final class TinyTarget {
    static final int VOCABULARY = 40;
    static final int HIDDEN = 32;
    static final int LAYERS = 6;
    static final int POSITIONS = 256;

    private TinyTarget() {}

    static TargetModel open() {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "djl/f32",
                        VOCABULARY,
                        HIDDEN,
                        LAYERS,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00"),
                new LetterTokenizer(VOCABULARY),
                network(),
                1,
                () -> Long.MAX_VALUE);
    }

    static ScriptedNetwork network() {
        return new ScriptedNetwork(config(), new RandomWeights(config(), 5, 1), ElementType.F32);
    }

    static DecoderConfig config() {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(HIDDEN)
                .intermediateSize(48)
                .layers(LAYERS)
                .heads(4)
                .keyValueHeads(2)
                .headSize(8)
                .maxPositions(POSITIONS)
                .build();
    }
}
