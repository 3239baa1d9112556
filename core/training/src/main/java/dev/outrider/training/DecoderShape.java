package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.torch.TorchDecoder;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

    /// Returns the shape of a decoder that is dense and has Llama's form; empty for any other decoder.
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

    /// The trainable parameters of a decoder, in the order that `decoder.torchscript` reads, with the names that their parts have
    /// in a finished checkpoint.
    ///
    /// Matrices that are multiplied together are one matrix during training (q-k-v, gate-up, experts); a finished checkpoint has
    /// separate ones.
    static final class DecoderParameters {
        private static final double INITIAL_DEVIATION = 0.02;

        /// A tensor that identifies the names of a mixture as Mixtral's.
        private static final String MIXTRAL = "model.layers.0.block_sparse_moe.gate.weight";

        /// Matrices that write to the residual stream start smaller, so that its size does not grow with depth (GPT-2).
        private static final Set<Weight> SMALLER =
                EnumSet.of(Weight.OUTPUT, Weight.DOWN, Weight.EXPERT_DOWN);

        private DecoderParameters() {}

        static ParameterSet of(DecoderShape shape) {
            var config = shape.decoder();
            var names = WeightNaming.of(config, Set.of(MIXTRAL));
            double smaller = INITIAL_DEVIATION * (1 / Math.sqrt(2.0 * config.layers()));
            return new ParameterSet(
                    TorchDecoder.slots(config).stream()
                            .map(slot -> {
                                boolean writes = SMALLER.contains(slot.weights().getFirst());
                                return Parameter.of(
                                        config, names, slot, writes ? smaller : INITIAL_DEVIATION);
                            })
                            .toList());
        }
    }

    /// Experts in place of a decoder's feed-forward layers.
    ///
    /// @param experts         of each layer
    /// @param chosen          experts that a row activates
    /// @param feedForwardSize inner width of an expert
    /// @param balance         weight of the loss that balances the load of the experts; 0 leaves it out
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
