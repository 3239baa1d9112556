package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.torch.TorchDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The sizes of an encoder-decoder like T5 1.1 to be trained.
///
/// @param vocabularySize  token ids; at least 2
/// @param hiddenSize      width of the residual streams
/// @param encoderLayers   layers that read the source
/// @param decoderLayers   layers that write the answer
/// @param heads           heads of every attention; `heads * headDimension` may differ from `hiddenSize`
/// @param headDimension   size of a head
/// @param feedForwardSize inner width of the gated feed-forward layers
/// @param buckets         of distances in attention; even
/// @param maxDistance     distances from here on are alike; above half of `buckets`
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
        Require.atLeast("vocabularySize", vocabularySize, 1);
        Require.atLeast("hiddenSize", hiddenSize, 1);
        Require.atLeast("encoderLayers", encoderLayers, 1);
        Require.atLeast("decoderLayers", decoderLayers, 1);
        Require.atLeast("heads", heads, 1);
        Require.atLeast("headDimension", headDimension, 1);
        Require.atLeast("feedForwardSize", feedForwardSize, 1);
        Require.atLeast("maxPositions", maxPositions, 1);
        Require.that(normEpsilon > 0, "normEpsilon (%s) must be positive", normEpsilon);
        new Positions.Relative(buckets, maxDistance);
    }

    /// Returns the shape of a finished model, if it can be trained here.
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

    /// The finished model's encoder.
    DecoderConfig encoder() {
        return stack(Part.ENCODER, encoderLayers);
    }

    /// The finished model's decoder.
    DecoderConfig decoder() {
        return stack(Part.CROSS_DECODER, decoderLayers);
    }

    /// Returns the mapping of distances to buckets.
    Positions.Relative positions() {
        return new Positions.Relative(buckets, maxDistance);
    }

    /// The finished model's configuration.
    ///
    /// @param start first token of the decoder's prompt
    /// @param end   token that ends an answer
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

    /// The trainable parameters of an encoder-decoder, in the order that `encoder-decoder.torchscript` reads, with the names that
    /// their parts have in a finished checkpoint of T5.
    ///
    /// Matrices that read the same states are fused during training (q-k-v, k-v of the source, gate-up); a finished checkpoint has
    /// separate ones. Attention does not divide scores, so queries and keys start smaller by the fourth root of a head's size.
    ///
    /// @see "Raffel et al. 2020 (T5), section 2.1"
    static final class EncoderDecoderParameters {
        private static final List<List<Weight>> LAYER =
                List.of(
                        List.of(Weight.INPUT_NORM),
                        List.of(Weight.QUERY, Weight.KEY, Weight.VALUE),
                        List.of(Weight.OUTPUT),
                        List.of(Weight.CROSS_NORM),
                        List.of(Weight.CROSS_QUERY),
                        List.of(Weight.CROSS_KEY, Weight.CROSS_VALUE),
                        List.of(Weight.CROSS_OUTPUT),
                        List.of(Weight.FEED_FORWARD_NORM),
                        List.of(Weight.GATE, Weight.UP),
                        List.of(Weight.DOWN));

        private final List<Parameter> list = new ArrayList<>();

        private EncoderDecoderParameters() {}

        static ParameterSet of(EncoderDecoderShape shape) {
            var all = new EncoderDecoderParameters();
            var stacks = List.of(shape.encoder(), shape.decoder());
            all.add(stacks.getLast(), 0, List.of(Weight.EMBEDDING));
            stacks.forEach(stack -> all.add(stack, 0, List.of(Weight.RELATIVE_BIAS)));
            for (var stack : stacks) {
                for (int layer = 0; layer < stack.layers(); layer++) {
                    for (var weights : LAYER) {
                        all.add(stack, layer, weights);
                    }
                }
                all.add(stack, 0, List.of(Weight.FINAL_NORM));
            }
            all.add(stacks.getLast(), 0, List.of(Weight.HEAD));
            return new ParameterSet(all.list);
        }

        private void add(DecoderConfig stack, int number, List<Weight> weights) {
            var first = weights.getFirst();
            if (first.present(stack, number)) {
                var slot = TorchDecoder.Slot.of(number, weights.toArray(Weight[]::new));
                var names = WeightNaming.of(stack, Set.of());
                list.add(Parameter.of(stack, names, slot, deviation(stack, first)));
            }
        }

        /// Matrices that write to the residual stream start smaller, so that its size does not grow with depth (GPT-2).
        private static double deviation(DecoderConfig stack, Weight weight) {
            double residual = 1 / Math.sqrt((stack.crosses() ? 3 : 2) * stack.layers());
            return switch (weight) {
                case EMBEDDING -> 1;
                case QUERY, CROSS_QUERY, CROSS_KEY ->
                        1 / Math.sqrt(stack.hiddenSize() * Math.sqrt(stack.headSize()));
                case OUTPUT, CROSS_OUTPUT -> residual / Math.sqrt(stack.heads() * stack.headSize());
                case DOWN -> residual / Math.sqrt(stack.intermediateSize());
                default -> 1 / Math.sqrt(stack.hiddenSize());
            };
        }
    }
}
