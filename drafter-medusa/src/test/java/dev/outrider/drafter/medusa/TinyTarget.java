package dev.outrider.drafter.medusa;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderConfigBuilder;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorEncoderDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A tiny decoder with random weights on the real network, and random heads for it.
public final class TinyTarget {
    public static final int VOCABULARY = 24;
    public static final int HIDDEN = 32;
    private static final int LAYERS = 2;
    private static final int POSITIONS = 256;

    private TinyTarget() {}

    public static TargetModel open() {
        PassThreads.use(1);
        var config = stack().keyValueHeads(2).firstWindowLayer(2).build();
        return target(
                new VectorNetwork(config, new RandomWeights(config, 5, 1.4), Precision.F32),
                Optional.empty());
    }

    /// Of T5's form, with a tied and scaled head.
    public static TargetModel encoderDecoder() {
        var encoder = t5(Part.ENCODER);
        var decoder = t5(Part.CROSS_DECODER);
        return target(
                new VectorEncoderDecoder(
                        encoder,
                        new RandomWeights(encoder, 5, 2),
                        decoder,
                        new RandomWeights(decoder, 5, 2),
                        Precision.F32,
                        RowPrecision.INT8),
                Optional.of(new SourceReading(POSITIONS, List.of(0))));
    }

    private static DecoderConfig t5(Part part) {
        var positions = new Positions.Relative(8, 32);
        double headScale = 1 / Math.sqrt(HIDDEN);
        return stack().tiedHead(true)
                .form(BlockForm.t5(Activation.RELU, false, positions, headScale))
                .part(part)
                .build();
    }

    private static DecoderConfigBuilder stack() {
        return DecoderConfig.builder()
                .vocabularySize(VOCABULARY)
                .hiddenSize(HIDDEN)
                .intermediateSize(48)
                .layers(LAYERS)
                .heads(4)
                .headSize(8)
                .maxPositions(POSITIONS);
    }

    private static TargetModel target(DecoderNetwork network, Optional<SourceReading> sources) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "test/f32",
                        VOCABULARY,
                        HIDDEN,
                        LAYERS,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00",
                        sources),
                new LetterTokenizer(VOCABULARY),
                network,
                1,
                () -> Long.MAX_VALUE);
    }

    /// Four random heads that borrow the target's projection.
    ///
    /// @param folder an empty one, for their checkpoint
    static Drafter heads(TargetModel target, TreePlan plan, Path folder) {
        var tensors = new HeadFile(9);
        for (int head = 0; head < 4; head++) {
            tensors.random(head + ".0.linear.weight", HIDDEN, HIDDEN)
                    .random(head + ".0.linear.bias", HIDDEN);
        }
        var config =
                new MedusaConfig(
                        tensors.write(folder),
                        Optional.empty(),
                        BackendKey.VECTOR,
                        Optional.empty(),
                        Optional.of(plan));
        return MedusaPlugin.MEDUSA.create(config, () -> target);
    }
}
