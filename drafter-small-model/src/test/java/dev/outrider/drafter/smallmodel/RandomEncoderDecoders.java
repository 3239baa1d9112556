package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorEncoderDecoder;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tiny encoder-decoders of T5's form with random weights. A model with fewer layers has the same weights in those layers.
final class RandomEncoderDecoders {
    static final int VOCABULARY = 24;
    static final int LAYERS = 2;
    private static final int POSITIONS = 160;
    private static final int HIDDEN = 16;
    private static final long SEED = 6;

    private RandomEncoderDecoders() {}

    static TargetModel target() {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny",
                        "vector/f32",
                        VOCABULARY,
                        HIDDEN,
                        LAYERS,
                        POSITIONS,
                        0,
                        Set.of(),
                        "00",
                        Optional.of(reading(POSITIONS))),
                new LetterTokenizer(VOCABULARY),
                network(LAYERS, VOCABULARY),
                1,
                () -> Long.MAX_VALUE);
    }

    /// Returns a draft model with the target's tokens.
    ///
    /// @param longest source that it reads
    static DraftModel draft(int layers, int longest) {
        return draft(layers, longest, VOCABULARY);
    }

    static DraftModel draft(int layers, int longest, int vocabulary) {
        return new DraftModel(
                network(layers, vocabulary),
                new LetterTokenizer(vocabulary),
                vocabulary,
                POSITIONS,
                1,
                "",
                Optional.of(reading(longest)));
    }

    private static SourceReading reading(int longest) {
        return new SourceReading(longest, List.of(0));
    }

    private static EncoderDecoderNetwork network(int layers, int vocabulary) {
        var encoder = stack(layers, vocabulary, Part.ENCODER);
        var decoder = stack(layers, vocabulary, Part.CROSS_DECODER);
        return new VectorEncoderDecoder(
                encoder,
                new RandomWeights(encoder, SEED, 2),
                decoder,
                new RandomWeights(decoder, SEED, 2),
                Precision.F32,
                RowPrecision.INT8);
    }

    private static DecoderConfig stack(int layers, int vocabulary, Part part) {
        return DecoderConfig.builder()
                .vocabularySize(vocabulary)
                .hiddenSize(HIDDEN)
                .intermediateSize(24)
                .layers(layers)
                .heads(2)
                .headSize(8)
                .maxPositions(POSITIONS)
                .tiedHead(false)
                .form(
                        BlockForm.t5(
                                BlockForm.Activation.GELU_TANH,
                                true,
                                new Positions.Relative(8, 32),
                                1))
                .part(part)
                .build();
    }
}
