package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// A tiny decoder with random weights on the real network, and random heads for it.
final class TinyTarget {
    static final int VOCABULARY = 24;
    private static final int HIDDEN = 32;

    private TinyTarget() {}

    static TargetModel open() {
        TensorRuntime.useThreads(1);
        var config =
                DecoderConfig.builder()
                        .vocabularySize(VOCABULARY)
                        .hiddenSize(HIDDEN)
                        .intermediateSize(48)
                        .layers(2)
                        .heads(4)
                        .keyValueHeads(2)
                        .headSize(8)
                        .maxPositions(256)
                        .firstWindowLayer(2)
                        .build();
        return new NetworkTarget(
                new TargetDescription(
                        "tiny", "djl/f32", VOCABULARY, HIDDEN, 2, 256, 0, Set.of(), "00"),
                new LetterTokenizer(VOCABULARY),
                new ScriptedNetwork(config, new RandomWeights(config, 5, 1.4), ElementType.F32),
                1,
                () -> Long.MAX_VALUE);
    }

    /// Four random heads that borrow the target's projection.
    ///
    /// @param folder an empty one, for their checkpoint
    static Drafter heads(TargetModel target, TreePlan plan, Path folder) {
        var tensors = new HeadTensors(9);
        for (int head = 0; head < 4; head++) {
            tensors.random(head + ".0.linear.weight", HIDDEN, HIDDEN)
                    .random(head + ".0.linear.bias", HIDDEN);
        }
        var config =
                new MedusaConfig(
                        tensors.write(folder),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(plan));
        return new MedusaDrafterFactory().create(config, () -> target);
    }
}
