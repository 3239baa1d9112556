package dev.outrider.training;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import java.util.List;
import java.util.Optional;

/// The sizes of an encoder-decoder like T5 1.1 to be trained.
///
/// @param vocabularySize  token ids; at least 2
/// @param hiddenSize      width of the residual streams
/// @param encoderLayers   layers that read the source
/// @param decoderLayers   layers that write the answer
/// @param heads           heads of every attention; `heads * headDimension` may differ from `hiddenSize`
/// @param headDimension   size of a head
/// @param feedForwardSize inner width of the gated feed-forward layers
/// @param buckets         of distances that attention tells apart; even
/// @param maxDistance     from where on distances are alike; above half of `buckets`
/// @param maxPositions    longest source, and longest answer, that the finished model declares
/// @param normEpsilon     added to the mean square in RMSNorm
/// @param tiedEmbeddings  whether the output matrix is the embedding matrix
public record EncoderDecoderShape(
        int vocabularySize,
        int hiddenSize,
        int encoderLayers,
        int decoderLayers,
        int heads,
        int headDimension,
        int feedForwardSize,
        int buckets,
        int maxDistance,
        int maxPositions,
        double normEpsilon,
        boolean tiedEmbeddings) {
    public EncoderDecoderShape {
        DecoderShape.requirePositive("vocabularySize", vocabularySize);
        DecoderShape.requirePositive("hiddenSize", hiddenSize);
        DecoderShape.requirePositive("encoderLayers", encoderLayers);
        DecoderShape.requirePositive("decoderLayers", decoderLayers);
        DecoderShape.requirePositive("heads", heads);
        DecoderShape.requirePositive("headDimension", headDimension);
        DecoderShape.requirePositive("feedForwardSize", feedForwardSize);
        DecoderShape.requirePositive("maxPositions", maxPositions);
        if (!(normEpsilon > 0)) {
            throw new IllegalArgumentException(
                    "normEpsilon (%s) must be positive".formatted(normEpsilon));
        }
        new Positions.Relative(buckets, maxDistance);
    }

    /// The shape of a finished model, if it is one that can be trained here.
    static Optional<EncoderDecoderShape> of(ModelConfig model) {
        var decoder = model.decoder();
        if (model.encoder().isEmpty()
                || !(decoder.form().positions() instanceof Positions.Relative positions)) {
            return Optional.empty();
        }
        var encoder = model.encoder().get().stack();
        var shape =
                new EncoderDecoderShape(
                        decoder.vocabularySize(),
                        decoder.hiddenSize(),
                        encoder.layers(),
                        decoder.layers(),
                        decoder.heads(),
                        decoder.headSize(),
                        decoder.intermediateSize(),
                        positions.buckets(),
                        positions.maxDistance(),
                        decoder.maxPositions(),
                        decoder.normEpsilon(),
                        decoder.tiedHead());
        return Optional.of(shape)
                .filter(each -> each.decoder().equals(decoder) && each.encoder().equals(encoder));
    }

    /// How many numbers are trained.
    public long parameters() {
        return Weight.parameters(encoder()) + Weight.parameters(decoder());
    }

    /// The finished model's encoder.
    DecoderConfig encoder() {
        return stack(Part.ENCODER, encoderLayers);
    }

    /// The finished model's decoder.
    DecoderConfig decoder() {
        return stack(Part.CROSS_DECODER, decoderLayers);
    }

    /// How distances fall into buckets.
    Positions.Relative positions() {
        return new Positions.Relative(buckets, maxDistance);
    }

    /// The finished model's configuration.
    ///
    /// @param start what the decoder's prompt begins with
    /// @param end   what ends an answer
    ModelConfig model(int start, int end, TrainingPlan.Storage storage) {
        return new ModelConfig(
                Family.T5,
                decoder(),
                List.of(),
                List.of(end),
                Optional.of(storage.type()),
                Optional.empty(),
                Optional.of(new EncoderConfig(encoder(), List.of(start))));
    }

    private DecoderConfig stack(Part part, int layers) {
        double headScale = tiedEmbeddings ? 1 / Math.sqrt(hiddenSize) : 1;
        return DecoderConfig.builder()
                .vocabularySize(vocabularySize)
                .hiddenSize(hiddenSize)
                .intermediateSize(feedForwardSize)
                .layers(layers)
                .heads(heads)
                .headSize(headDimension)
                .maxPositions(maxPositions)
                .normEpsilon(normEpsilon)
                .tiedHead(tiedEmbeddings)
                .form(BlockForm.t5(BlockForm.Activation.GELU_TANH, true, positions(), headScale))
                .part(part)
                .build();
    }
}
