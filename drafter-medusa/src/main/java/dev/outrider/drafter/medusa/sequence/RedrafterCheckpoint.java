package dev.outrider.drafter.medusa.sequence;

import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Optional;

/// ReDrafter's head in a checkpoint of the authors' layout, every tensor of which has been checked: none missing, none of a wrong
/// shape, none unknown. A head that has no projection uses the target's, which the authors' do not do.
///
/// Thread-safe. The caller closes it.
///
/// @see "apple/ml-recurrent-drafter, recurrent_drafting/modeling_drafter.py and configuration_drafter.py"
final class RedrafterCheckpoint implements RecurrentHead.Weights, AutoCloseable {
    /// Brings hidden state and draft state to the width that the blocks read, where that is another; without `.weight` or
    /// `.bias`.
    static final String INPUT = "input_proj";

    /// Multiplies the draft state; without `.weight` or `.bias`.
    static final String STATE = "rnn_u";

    /// Multiplies an embedding; without `.weight`, and without a bias.
    static final String TOKEN = "rnn_w";

    private static final int MAX = 64;
    private static final int WIDEST = 1 << 20;

    private final CheckpointTensors tensors;
    private final HeadTensors reader;
    private final int hiddenSize;
    private final int vocabulary;
    private final int exit;
    private final int layers;
    private final boolean recurrent;
    private final boolean ownProjection;

    private RedrafterCheckpoint(
            CheckpointTensors tensors, ConfigNode config, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        this.hiddenSize = hiddenSize;
        this.vocabulary = vocabulary;
        reader = new HeadTensors(tensors, "ReDrafter's authors");
        HeadTensors.requireTarget(config, hiddenSize, vocabulary);
        exit = config.positive("exit_dim");
        layers = config.natural("num_draft_layers", 0);
        recurrent = config.truth("rnn", false);
        if (layers > MAX || exit > WIDEST) {
            throw reader.unsupported(
                    "'%s' says num_draft_layers %d and exit_dim %d; expected at most %d and %d"
                            .formatted(config.path(), layers, exit, MAX, WIDEST));
        }
        ownProjection = reader.has(projectionName(layers) + ".weight");
        if (!ownProjection && exit != hiddenSize) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_INCOMPLETE,
                    "'%s' has no tensor '%s', and the target's projection reads %d numbers, not the %d of exit_dim"
                            .formatted(
                                    reader.source(),
                                    projectionName(layers) + ".weight",
                                    hiddenSize,
                                    exit),
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
        try {
            return new RedrafterCheckpoint(tensors, config, hiddenSize, vocabulary);
        } catch (RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    /// Loads a drafter.
    static Drafter open(RedrafterConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        var precision = SequenceHeads.precision(config.precision(), target);
        try (var checkpoint =
                open(config.path(), description.hiddenSize(), description.vocabularySize())) {
            var head =
                    new RecurrentHead(
                            checkpoint,
                            config.draft().plan().maxDepth(),
                            precision,
                            TargetWeights.of("redrafter", target));
            return new SequenceDrafter(
                    head, config.draft(), checkpoint.parameters(), checkpoint.digest());
        }
    }

    /// Returns the digest of the files.
    String digest() {
        return tensors.digest();
    }

    /// Returns how many numbers are in the head.
    long parameters() {
        long read = 2L * hiddenSize;
        long input = exit == read ? 0 : (read + 1) * exit;
        long blocks = layers * ((long) exit + 1) * exit;
        long own = ownProjection ? (long) vocabulary * exit : 0;
        return input + blocks + own + (recurrent ? (read + 1) * hiddenSize : 0);
    }

    @Override
    public int hiddenSize() {
        return hiddenSize;
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public int layers() {
        return layers;
    }

    @Override
    public Optional<HeadTensors.Matrix> state() {
        return recurrent
                ? Optional.of(reader.matrix(STATE, hiddenSize, hiddenSize))
                : Optional.empty();
    }

    @Override
    public Optional<HeadTensors.Matrix> token() {
        return recurrent
                ? Optional.of(reader.matrix(TOKEN, hiddenSize, hiddenSize))
                : Optional.empty();
    }

    @Override
    public Optional<HeadTensors.Matrix> input() {
        return exit == 2 * hiddenSize
                ? Optional.empty()
                : Optional.of(reader.matrix(INPUT, exit, 2 * hiddenSize));
    }

    @Override
    public HeadTensors.Matrix block(int layer) {
        return reader.matrix(blockName(layer), exit, exit);
    }

    @Override
    public Optional<HeadTensors.Matrix> projection() {
        return ownProjection
                ? Optional.of(reader.matrix(projectionName(layers), vocabulary, exit))
                : Optional.empty();
    }

    @Override
    public void close() {
        tensors.close();
    }

    private void checkTensors() {
        if (exit != 2 * hiddenSize) {
            reader.requireBiased(INPUT, exit, 2 * hiddenSize);
        }
        for (int layer = 0; layer < layers; layer++) {
            reader.requireBiased(blockName(layer), exit, exit);
        }
        if (ownProjection) {
            reader.requireTokens(
                    projectionName(layers) + ".weight", vocabulary, exit, "logit of the target");
        }
        if (recurrent) {
            reader.requireBiased(STATE, hiddenSize, hiddenSize);
            reader.require(TOKEN + ".weight", hiddenSize, hiddenSize);
        }
        reader.refuseUnknown(
                "a head of %d blocks with rnn %s".formatted(layers, recurrent), _ -> false);
    }

    /// Returns the name of the linear layer of a block, without `.weight` or `.bias`.
    static String blockName(int layer) {
        return "lm_head.%d.linear".formatted(layer);
    }

    /// Returns the name of the head's own vocabulary projection, which follows its blocks; without `.weight`.
    static String projectionName(int layers) {
        return "lm_head.%d".formatted(layers);
    }
}
