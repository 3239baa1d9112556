package dev.outrider.training;

import java.util.ArrayList;

/// What is trained of a decoder, in the order [DecoderProgram] reads, with the names a finished checkpoint gives its
/// parts.
///
/// Two matrices are fused while training (q-k-v, gate-up); a finished checkpoint has them one by one.
final class DecoderParameters {
    private static final double INITIAL_DEVIATION = 0.02;

    private DecoderParameters() {}

    static ParameterSet of(DecoderShape shape) {
        var list = new ArrayList<Parameter>();
        int hidden = shape.hiddenSize();
        int queries = shape.heads() * shape.headDimension();
        int shared = shape.keyValueHeads() * shape.headDimension();
        // Matrices that write to the residual stream start smaller, so that its size does not grow
        // with depth (GPT-2).
        double residual = 1 / Math.sqrt(2.0 * shape.layers());
        list.add(
                matrix(
                        hidden,
                        1,
                        new Parameter.Part("model.embed_tokens.weight", shape.vocabularySize())));
        for (int i = 0; i < shape.layers(); i++) {
            var layer = "model.layers." + i + ".";
            list.add(norm(hidden, layer + "input_layernorm.weight"));
            list.add(
                    matrix(
                            hidden,
                            1,
                            new Parameter.Part(layer + "self_attn.q_proj.weight", queries),
                            new Parameter.Part(layer + "self_attn.k_proj.weight", shared),
                            new Parameter.Part(layer + "self_attn.v_proj.weight", shared)));
            list.add(
                    matrix(
                            queries,
                            residual,
                            new Parameter.Part(layer + "self_attn.o_proj.weight", hidden)));
            list.add(norm(hidden, layer + "post_attention_layernorm.weight"));
            list.add(
                    matrix(
                            hidden,
                            1,
                            new Parameter.Part(
                                    layer + "mlp.gate_proj.weight", shape.feedForwardSize()),
                            new Parameter.Part(
                                    layer + "mlp.up_proj.weight", shape.feedForwardSize())));
            list.add(
                    matrix(
                            shape.feedForwardSize(),
                            residual,
                            new Parameter.Part(layer + "mlp.down_proj.weight", hidden)));
        }
        list.add(norm(hidden, "model.norm.weight"));
        if (!shape.tiedEmbeddings()) {
            list.add(
                    matrix(
                            hidden,
                            1,
                            new Parameter.Part("lm_head.weight", shape.vocabularySize())));
        }
        return new ParameterSet(list);
    }

    private static Parameter norm(int size, String name) {
        return Parameter.of(name, new Parameter.Initial.Constant(1), size);
    }

    private static Parameter matrix(int columns, double scale, Parameter.Part... parts) {
        return Parameter.matrix(columns, INITIAL_DEVIATION * scale, parts);
    }
}
