package dev.outrider.drafter.medusa.sequence;

import dev.outrider.common.Undo;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;

/// ReDrafter's head in a checkpoint of the authors' layout. Every tensor is checked: none is missing, has a wrong shape or is
/// unknown. A head without a projection uses the target's, which the authors' head does not.
///
/// Thread-safe. The caller closes it.
///
/// @see "apple/ml-recurrent-drafter, recurrent_drafting/modeling_drafter.py and configuration_drafter.py"
final class RedrafterCheckpoint implements AutoCloseable {
    private static final int MAX = 64;
    private static final int WIDEST = 1 << 20;

    private final CheckpointTensors tensors;
    private final HeadTensors reader;
    private final RecurrentHead.Sizes sizes;

    private RedrafterCheckpoint(
            CheckpointTensors tensors, ConfigNode config, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        reader = new HeadTensors(tensors, "ReDrafter's authors");
        HeadTensors.requireTarget(config, hiddenSize, vocabulary);
        int exit = config.positive("exit_dim");
        int layers = config.natural("num_draft_layers", 0);
        if (layers > MAX || exit > WIDEST) {
            throw reader.unsupported(
                    "'%s' says num_draft_layers %d and exit_dim %d; expected at most %d and %d"
                            .formatted(config.path(), layers, exit, MAX, WIDEST));
        }
        var projection = RedrafterNames.projectionName(layers) + ".weight";
        sizes =
                new RecurrentHead.Sizes(
                        hiddenSize,
                        vocabulary,
                        exit,
                        layers,
                        config.truth("rnn", false),
                        reader.has(projection));
        if (!sizes.ownProjection() && exit != hiddenSize) {
            throw ErrorCode.CHECKPOINT_INCOMPLETE.error(
                    "'%s' has no tensor '%s', and the target's projection reads %d numbers, not the %d of exit_dim"
                            .formatted(reader.source(), projection, hiddenSize, exit),
                    "Check that config.json and the weights belong together.");
        }
        checkTensors();
    }

    /// Opens and checks a folder.
    ///
    /// @param hiddenSize the target's
    /// @param vocabulary number of the target's logits
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_UNSUPPORTED`,
    ///                           `CHECKPOINT_SHAPE_MISMATCH`, `MODEL_CONFIG_INVALID`,
    ///                           `DRAFTER_VOCABULARY_MISMATCH`, or what reading safetensors may raise
    static RedrafterCheckpoint open(Path folder, int hiddenSize, int vocabulary) {
        var directory = ModelPaths.open(folder);
        var config = ConfigNode.read(directory.config());
        var tensors = directory.openTensors();
        return Undo.onFailure(
                tensors::close,
                () -> new RedrafterCheckpoint(tensors, config, hiddenSize, vocabulary));
    }

    /// Loads a drafter.
    static Drafter open(RedrafterConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        var keys = config.head();
        try (var checkpoint =
                open(keys.path(), description.hiddenSize(), description.vocabularySize())) {
            var plan = config.plan();
            var head =
                    checkpoint.load(
                            plan.maxDepth(),
                            keys.precision(target),
                            TargetWeights.of("redrafter", target));
            return new SequenceDrafter(
                    head,
                    keys.drafting(),
                    config.search(),
                    head.parameters(),
                    checkpoint.tensors.digest());
        }
    }

    /// Loads the head.
    ///
    /// @param guesses greatest number of guesses in a chain
    RecurrentHead load(int guesses, Precision precision, TargetWeights target) {
        return new RecurrentHead(
                sizes, guesses, new HeadMatrices(reader::matrix, precision), target);
    }

    @Override
    public void close() {
        tensors.close();
    }

    private void checkTensors() {
        int hidden = sizes.hiddenSize();
        int exit = sizes.exit();
        if (sizes.narrowed()) {
            reader.requireBiased(RedrafterNames.INPUT, exit, 2 * hidden);
        }
        for (int layer = 0; layer < sizes.layers(); layer++) {
            reader.requireBiased(RedrafterNames.blockName(layer), exit, exit);
        }
        if (sizes.ownProjection()) {
            reader.requireTokens(
                    RedrafterNames.projectionName(sizes.layers()) + ".weight",
                    sizes.vocabulary(),
                    exit,
                    "logit of the target");
        }
        if (sizes.recurrent()) {
            reader.requireBiased(RedrafterNames.STATE, hidden, hidden);
            reader.require(RedrafterNames.TOKEN + ".weight", hidden, hidden);
        }
        reader.refuseUnknown(
                "a head of %d blocks with rnn %s".formatted(sizes.layers(), sizes.recurrent()),
                _ -> false);
    }

    /// Names of the tensors of ReDrafter's authors.
    static final class RedrafterNames {
        /// Projects hidden state and draft state to the width of the blocks' input, if that differs; without `.weight` or `.bias`.
        static final String INPUT = "input_proj";

        /// Multiplies the draft state; without `.weight` or `.bias`.
        static final String STATE = "rnn_u";

        /// Multiplies an embedding; without `.weight`, and without a bias.
        static final String TOKEN = "rnn_w";

        private RedrafterNames() {}

        /// Returns the name of the linear layer of a block, without `.weight` or `.bias`.
        static String blockName(int layer) {
            return "lm_head.%d.linear".formatted(layer);
        }

        /// Returns the name of the head's own vocabulary projection, which follows its blocks; without `.weight`.
        static String projectionName(int layers) {
            return "lm_head.%d".formatted(layers);
        }
    }
}
