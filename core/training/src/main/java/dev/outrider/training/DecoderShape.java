package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.training.Parameter.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The sizes of a Llama-style decoder to be trained.
///
/// @param vocabularySize     token ids; at least 2
/// @param hiddenSize         width of the residual stream
/// @param layers             decoder layers
/// @param heads              query heads; `heads * headDimension` may differ from `hiddenSize`
/// @param keyValueHeads      key and value heads; divides `heads`
/// @param headDimension      size of a head; even
/// @param feedForwardSize    inner width of the SwiGLU block
/// @param maxPositions       longest context the finished model declares
/// @param ropeTheta          base of the rotary frequencies
/// @param normEpsilon        added to the mean square in RMSNorm
/// @param tiedEmbeddings     whether the output matrix is the embedding matrix
/// @param mixture            experts in place of the feed-forward layers, whose `feedForwardSize` is then not used
public record DecoderShape(
        int vocabularySize,
        int hiddenSize,
        int layers,
        int heads,
        int keyValueHeads,
        int headDimension,
        int feedForwardSize,
        int maxPositions,
        double ropeTheta,
        double normEpsilon,
        boolean tiedEmbeddings,
        Optional<MixtureShape> mixture) {
    public DecoderShape {
        Require.atLeast("vocabularySize", vocabularySize, 1);
        Require.atLeast("hiddenSize", hiddenSize, 1);
        Require.atLeast("layers", layers, 1);
        Require.atLeast("heads", heads, 1);
        Require.atLeast("keyValueHeads", keyValueHeads, 1);
        Require.atLeast("headDimension", headDimension, 1);
        Require.atLeast("feedForwardSize", feedForwardSize, 1);
        Require.atLeast("maxPositions", maxPositions, 1);
        Require.that(
                heads % keyValueHeads == 0,
                "keyValueHeads (%d) does not divide heads (%d)",
                keyValueHeads,
                heads);
        Require.that(
                headDimension % 2 == 0,
                "headDimension (%d) is odd; rotary positions need pairs",
                headDimension);
        Require.that(
                ropeTheta > 0 && normEpsilon > 0,
                "ropeTheta (%s) and normEpsilon (%s) must be positive",
                ropeTheta,
                normEpsilon);
    }

    /// The shape of a decoder, if it is one of these: dense, and Llama's in everything.
    static Optional<DecoderShape> of(DecoderConfig config) {
        if (config.headSize() % 2 != 0) {
            return Optional.empty();
        }
        var shape =
                new DecoderShape(
                        config.vocabularySize(),
                        config.hiddenSize(),
                        config.layers(),
                        config.heads(),
                        config.keyValueHeads(),
                        config.headSize(),
                        config.intermediateSize(),
                        config.maxPositions(),
                        config.ropeTheta(),
                        config.normEpsilon(),
                        config.tiedHead(),
                        Optional.empty());
        return Optional.of(shape).filter(each -> each.decoder().equals(config));
    }

    /// The finished model's architecture.
    DecoderConfig decoder() {
        return DecoderConfig.builder()
                .vocabularySize(vocabularySize)
                .hiddenSize(hiddenSize)
                .intermediateSize(
                        mixture.map(MixtureShape::feedForwardSize).orElse(feedForwardSize))
                .layers(layers)
                .heads(heads)
                .keyValueHeads(keyValueHeads)
                .headSize(headDimension)
                .maxPositions(maxPositions)
                .normEpsilon(normEpsilon)
                .tiedHead(tiedEmbeddings)
                .ropeTheta(ropeTheta)
                .form(
                        mixture.map(each -> BlockForm.mixture(each.layers()))
                                .orElseGet(BlockForm::llama))
                .build();
    }

    /// The family whose layout the finished model has.
    Family family() {
        return mixture.isPresent() ? Family.MIXTRAL : Family.LLAMA;
    }

    /// The `config.json` of a model with these sizes.
    String configJson(TrainingPlan.Storage storage, int endOfText) {
        return ModelConfigWriter.toJson(
                new ModelConfig(
                        family(),
                        decoder(),
                        List.of(endOfText),
                        List.of(endOfText),
                        Optional.of(storage.type())));
    }

    /// What is trained of a decoder, in the order `decoder.torchscript` reads, with the names a finished checkpoint gives its
    /// parts.
    ///
    /// Two matrices are fused while training (q-k-v, gate-up); a finished checkpoint has them one by one.
    static final class DecoderParameters {
        private static final double INITIAL_DEVIATION = 0.02;

        private DecoderParameters() {}

        static ParameterSet of(DecoderShape shape) {
            var list = new ArrayList<Parameter>();
            int hidden = shape.hiddenSize();
            int queries = shape.heads() * shape.headDimension();
            int shared = shape.keyValueHeads() * shape.headDimension();
            // Matrices that write to the residual stream start smaller, so that its size does not
            // grow
            // with depth (GPT-2).
            double residual = 1 / Math.sqrt(2.0 * shape.layers());
            list.add(
                    matrix(
                            hidden,
                            1,
                            new Part("model.embed_tokens.weight", shape.vocabularySize())));
            for (int i = 0; i < shape.layers(); i++) {
                var layer = "model.layers." + i + ".";
                list.add(norm(hidden, layer + "input_layernorm.weight"));
                list.add(
                        matrix(
                                hidden,
                                1,
                                new Part(layer + "self_attn.q_proj.weight", queries),
                                new Part(layer + "self_attn.k_proj.weight", shared),
                                new Part(layer + "self_attn.v_proj.weight", shared)));
                list.add(
                        matrix(
                                queries,
                                residual,
                                new Part(layer + "self_attn.o_proj.weight", hidden)));
                list.add(norm(hidden, layer + "post_attention_layernorm.weight"));
                shape.mixture()
                        .ifPresentOrElse(
                                mixture -> list.addAll(experts(mixture, layer, hidden, residual)),
                                () -> list.addAll(feedForward(shape, layer, residual)));
            }
            list.add(norm(hidden, "model.norm.weight"));
            if (!shape.tiedEmbeddings()) {
                list.add(matrix(hidden, 1, new Part("lm_head.weight", shape.vocabularySize())));
            }
            return new ParameterSet(list);
        }

        private static List<Parameter> feedForward(
                DecoderShape shape, String layer, double residual) {
            int inner = shape.feedForwardSize();
            return List.of(
                    matrix(
                            shape.hiddenSize(),
                            1,
                            new Part(layer + "mlp.gate_proj.weight", inner),
                            new Part(layer + "mlp.up_proj.weight", inner)),
                    matrix(
                            inner,
                            residual,
                            new Part(layer + "mlp.down_proj.weight", shape.hiddenSize())));
        }

        /// The router, and the matrices of all experts one below the other, in Mixtral's names.
        private static List<Parameter> experts(
                MixtureShape mixture, String layer, int hidden, double residual) {
            var block = layer + "block_sparse_moe.";
            var openings = new ArrayList<Part>();
            var closings = new ArrayList<Part>();
            for (int number = 0; number < mixture.experts(); number++) {
                var expert = block + "experts." + number + ".";
                int inner = mixture.feedForwardSize();
                openings.add(new Part(expert + "w1.weight", inner));
                openings.add(new Part(expert + "w3.weight", inner));
                closings.add(new Part(expert + "w2.weight", hidden));
            }
            return List.of(
                    matrix(hidden, 1, new Part(block + "gate.weight", mixture.experts())),
                    matrix(hidden, 1, openings.toArray(Part[]::new)),
                    matrix(mixture.feedForwardSize(), residual, closings.toArray(Part[]::new)));
        }

        private static Parameter norm(int size, String name) {
            return Parameter.of(name, new Parameter.Initial.Constant(1), size);
        }

        private static Parameter matrix(int columns, double scale, Part... parts) {
            return Parameter.matrix(columns, INITIAL_DEVIATION * scale, parts);
        }
    }

    /// Experts in place of a decoder's feed-forward layers.
    ///
    /// @param experts         of each layer
    /// @param chosen          how many a row wakes
    /// @param feedForwardSize inner width of an expert
    /// @param balance         weight of the loss that keeps experts equally busy; 0 leaves it out
    /// @see "Fedus et al. 2022 (Switch Transformers), equations 4 to 6"
    public record MixtureShape(int experts, int chosen, int feedForwardSize, double balance) {
        public MixtureShape {
            Require.atLeast("experts", experts, 1);
            Require.atLeast("chosen", chosen, 1);
            Require.atLeast("feedForwardSize", feedForwardSize, 1);
            Require.that(chosen <= experts, "chosen (%d) exceeds experts (%d)", chosen, experts);
            Require.that(
                    balance >= 0 && !Double.isInfinite(balance),
                    "balance (%s) may not be negative",
                    balance);
        }

        Experts layers() {
            return new Experts(experts, chosen, feedForwardSize);
        }
    }
}
