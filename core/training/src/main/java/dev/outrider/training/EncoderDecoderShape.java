package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import java.util.ArrayList;
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

    /// What is trained of an encoder-decoder, in the order `encoder-decoder.torchscript` reads, with the names that a finished
    /// checkpoint of T5 gives its parts.
    ///
    /// Matrices that read the same states are fused while training (q-k-v, k-v of the source, gate-up); a finished checkpoint has them one by
    /// one. Attention does not divide scores, so queries and keys start smaller by the fourth root of a head's size.
    ///
    /// @see "Raffel et al. 2020 (T5), section 2.1"
    static final class EncoderDecoderParameters {
        private final EncoderDecoderShape shape;
        private final List<Parameter> list = new ArrayList<>();

        private EncoderDecoderParameters(EncoderDecoderShape shape) {
            this.shape = shape;
        }

        static ParameterSet of(EncoderDecoderShape shape) {
            return new EncoderDecoderParameters(shape).all();
        }

        private ParameterSet all() {
            int hidden = shape.hiddenSize();
            matrix(1, hidden, part("shared.weight", shape.vocabularySize()));
            for (var stack : List.of("encoder", "decoder")) {
                matrix(
                        1 / Math.sqrt(hidden),
                        shape.heads(),
                        part(
                                stack
                                        + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                                shape.buckets()));
            }
            for (int i = 0; i < shape.encoderLayers(); i++) {
                var block = "encoder.block.%d.".formatted(i);
                double residual = residual(2 * shape.encoderLayers());
                selfAttention(block, residual);
                feedForward(block + "layer.1.", residual);
            }
            norm("encoder.final_layer_norm.weight");
            for (int i = 0; i < shape.decoderLayers(); i++) {
                var block = "decoder.block.%d.".formatted(i);
                double residual = residual(3 * shape.decoderLayers());
                selfAttention(block, residual);
                crossAttention(block + "layer.1.", residual);
                feedForward(block + "layer.2.", residual);
            }
            norm("decoder.final_layer_norm.weight");
            if (!shape.tiedEmbeddings()) {
                matrix(
                        1 / Math.sqrt(hidden),
                        hidden,
                        part("lm_head.weight", shape.vocabularySize()));
            }
            return new ParameterSet(list);
        }

        private void selfAttention(String block, double residual) {
            norm(block + "layer.0.layer_norm.weight");
            var attention = block + "layer.0.SelfAttention.";
            matrix(
                    projection(),
                    hidden(),
                    part(attention + "q.weight", inner()),
                    part(attention + "k.weight", inner()),
                    part(attention + "v.weight", inner()));
            matrix(residual / Math.sqrt(inner()), inner(), part(attention + "o.weight", hidden()));
        }

        private void crossAttention(String layer, double residual) {
            norm(layer + "layer_norm.weight");
            var attention = layer + "EncDecAttention.";
            matrix(projection(), hidden(), part(attention + "q.weight", inner()));
            matrix(
                    projection(),
                    hidden(),
                    part(attention + "k.weight", inner()),
                    part(attention + "v.weight", inner()));
            matrix(residual / Math.sqrt(inner()), inner(), part(attention + "o.weight", hidden()));
        }

        private void feedForward(String layer, double residual) {
            norm(layer + "layer_norm.weight");
            int inner = shape.feedForwardSize();
            matrix(
                    1 / Math.sqrt(hidden()),
                    hidden(),
                    part(layer + "DenseReluDense.wi_0.weight", inner),
                    part(layer + "DenseReluDense.wi_1.weight", inner));
            matrix(
                    residual / Math.sqrt(inner),
                    inner,
                    part(layer + "DenseReluDense.wo.weight", hidden()));
        }

        private double projection() {
            return 1 / Math.sqrt(hidden() * Math.sqrt(shape.headDimension()));
        }

        /// Matrices that write to the residual stream start smaller, so that its size does not grow with depth (GPT-2).
        private static double residual(int blocks) {
            return 1 / Math.sqrt(blocks);
        }

        private int hidden() {
            return shape.hiddenSize();
        }

        private int inner() {
            return shape.heads() * shape.headDimension();
        }

        private static Parameter.Part part(String name, int rows) {
            return new Parameter.Part(name, rows);
        }

        private void norm(String name) {
            list.add(Parameter.of(name, new Parameter.Initial.Constant(1), hidden()));
        }

        private void matrix(double deviation, int columns, Parameter.Part... parts) {
            list.add(Parameter.matrix(columns, deviation, parts));
        }
    }
}
