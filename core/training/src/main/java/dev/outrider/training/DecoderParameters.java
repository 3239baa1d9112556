package dev.outrider.training;

import java.util.ArrayList;
import java.util.List;

/// What is trained of a decoder, in the order `decoder.torchscript` reads, with the names a finished checkpoint gives its
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
            shape.mixture()
                    .ifPresentOrElse(
                            mixture -> list.addAll(experts(mixture, layer, hidden, residual)),
                            () -> list.addAll(feedForward(shape, layer, residual)));
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

    private static List<Parameter> feedForward(DecoderShape shape, String layer, double residual) {
        int inner = shape.feedForwardSize();
        return List.of(
                matrix(
                        shape.hiddenSize(),
                        1,
                        new Parameter.Part(layer + "mlp.gate_proj.weight", inner),
                        new Parameter.Part(layer + "mlp.up_proj.weight", inner)),
                matrix(
                        inner,
                        residual,
                        new Parameter.Part(layer + "mlp.down_proj.weight", shape.hiddenSize())));
    }

    /// The router, and the matrices of all experts one below the other, in Mixtral's names.
    private static List<Parameter> experts(
            MixtureShape mixture, String layer, int hidden, double residual) {
        var block = layer + "block_sparse_moe.";
        var openings = new ArrayList<Parameter.Part>();
        var closings = new ArrayList<Parameter.Part>();
        for (int number = 0; number < mixture.experts(); number++) {
            var expert = block + "experts." + number + ".";
            int inner = mixture.feedForwardSize();
            openings.add(new Parameter.Part(expert + "w1.weight", inner));
            openings.add(new Parameter.Part(expert + "w3.weight", inner));
            closings.add(new Parameter.Part(expert + "w2.weight", hidden));
        }
        return List.of(
                matrix(hidden, 1, new Parameter.Part(block + "gate.weight", mixture.experts())),
                matrix(hidden, 1, openings.toArray(Parameter.Part[]::new)),
                matrix(
                        mixture.feedForwardSize(),
                        residual,
                        closings.toArray(Parameter.Part[]::new)));
    }

    private static Parameter norm(int size, String name) {
        return Parameter.of(name, new Parameter.Initial.Constant(1), size);
    }

    private static Parameter matrix(int columns, double scale, Parameter.Part... parts) {
        return Parameter.matrix(columns, INITIAL_DEVIATION * scale, parts);
    }
}
