package dev.outrider.training;

import java.util.ArrayList;
import java.util.List;

/// What is trained of an encoder-decoder, in the order `encoder-decoder.torchscript` reads, with the names that a finished
/// checkpoint of T5 gives its parts.
///
/// Matrices that read the same states are fused while training (q-k-v, k-v of the source, gate-up); a finished checkpoint has them one by
/// one. Attention does not divide scores, so queries and keys start smaller by the fourth root of a head's size.
///
/// @see "Raffel et al. 2020 (T5), section 2.1"
final class EncoderDecoderParameters {
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
                            stack + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight",
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
            matrix(1 / Math.sqrt(hidden), hidden, part("lm_head.weight", shape.vocabularySize()));
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
