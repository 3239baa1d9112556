package dev.outrider.drafter.mtp;

import dev.outrider.drafter.mtp.MtpConfig.Recycle;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// A small decoder with random weights on the real network, and configurations of drafters for it.
final class Tiny {
    static final int VOCABULARY = 40;
    static final int HIDDEN = 32;
    static final int LAYERS = 3;
    static final int POSITIONS = 256;
    private static final long SEED = 5;

    private Tiny() {}

    static DecoderConfig config(int layers) {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(HIDDEN)
                .intermediateSize(48)
                .layers(layers)
                .heads(4)
                .keyValueHeads(2)
                .headSize(8)
                .maxPositions(POSITIONS)
                .build();
    }

    static RandomWeights weights() {
        return new RandomWeights(config(LAYERS), SEED, 1.5);
    }

    static VectorNetwork network() {
        return new VectorNetwork(config(LAYERS), weights(), Precision.F32);
    }

    static TargetModel target() {
        return target(VOCABULARY, LAYERS);
    }

    /// A target that reports other sizes than those of its network.
    static TargetModel target(int vocabulary, int layers) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "vector/f32",
                        vocabulary,
                        HIDDEN,
                        layers,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00"),
                new LetterTokenizer(VOCABULARY),
                network(),
                1,
                () -> Long.MAX_VALUE);
    }

    static DrafterContext context(TargetModel target) {
        return () -> target;
    }

    static MtpConfig drafter(Path path) {
        return drafter(path, new TreePlan.Chain(3), Optional.empty());
    }

    static MtpConfig drafter(Path path, TreePlan plan, Optional<Recycle> recycle) {
        return drafter(path, Drafting.of(plan), recycle);
    }

    static MtpConfig drafter(Path path, Drafting drafting, Optional<Recycle> recycle) {
        return new MtpConfig(
                new HeadKeys(path, drafting, Optional.of(Precision.F32)),
                new BackendKey(DraftBackend.VECTOR),
                Optional.empty(),
                Optional.empty(),
                recycle,
                Optional.empty());
    }
}
