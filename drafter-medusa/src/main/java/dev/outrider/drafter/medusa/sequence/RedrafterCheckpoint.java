package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.sequence.Matrices.Stored;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
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
final class RedrafterCheckpoint implements RecurrentWeights, AutoCloseable {
    private static final int MAX = 64;
    private static final int WIDEST = 1 << 20;

    private final CheckpointTensors tensors;
    private final HeadTensorsReader reader;
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
        reader = new HeadTensorsReader(tensors, "ReDrafter's authors");
        reader.requireTarget(config, hiddenSize, vocabulary);
        exit = config.positive("exit_dim");
        layers = config.natural("num_draft_layers", 0);
        recurrent = config.truth("rnn", false);
        if (layers > MAX || exit > WIDEST) {
            throw reader.unsupported(
                    "'%s' says num_draft_layers %d and exit_dim %d; expected at most %d and %d"
                            .formatted(config.path(), layers, exit, MAX, WIDEST));
        }
        ownProjection = reader.has(RedrafterNames.projection(layers));
        if (!ownProjection && exit != hiddenSize) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_INCOMPLETE,
                    "'%s' has no tensor '%s', and the target's projection reads %d numbers, not the %d of exit_dim"
                            .formatted(
                                    reader.source(),
                                    RedrafterNames.projection(layers),
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
        var directory = new Checkpoint(folder);
        var config = ConfigNode.read(directory.config());
        var tensors = directory.openTensors();
        try {
            return new RedrafterCheckpoint(tensors, config, hiddenSize, vocabulary);
        } catch (RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    /// Digest of the files.
    String digest() {
        return tensors.digest();
    }

    /// Numbers in the head.
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
    public Optional<Stored> state() {
        return recurrent
                ? Optional.of(biased(RedrafterNames.STATE, hiddenSize, hiddenSize))
                : Optional.empty();
    }

    @Override
    public Optional<Stored> token() {
        return recurrent
                ? Optional.of(
                        reader.matrix(
                                RedrafterNames.TOKEN, hiddenSize, hiddenSize, Optional.empty()))
                : Optional.empty();
    }

    @Override
    public Optional<Stored> input() {
        return exit == 2 * hiddenSize
                ? Optional.empty()
                : Optional.of(biased(RedrafterNames.INPUT, exit, 2 * hiddenSize));
    }

    @Override
    public Stored block(int layer) {
        return biased(RedrafterNames.block(layer), exit, exit);
    }

    @Override
    public Optional<Stored> projection() {
        return ownProjection
                ? Optional.of(
                        reader.matrix(
                                RedrafterNames.projection(layers),
                                vocabulary,
                                exit,
                                Optional.empty()))
                : Optional.empty();
    }

    @Override
    public void close() {
        tensors.close();
    }

    private Stored biased(String name, int rows, int columns) {
        return reader.matrix(name + ".weight", rows, columns, Optional.of(name + ".bias"));
    }

    private void checkTensors() {
        if (exit != 2 * hiddenSize) {
            require(RedrafterNames.INPUT, exit, 2 * hiddenSize);
        }
        for (int layer = 0; layer < layers; layer++) {
            require(RedrafterNames.block(layer), exit, exit);
        }
        if (ownProjection) {
            reader.requireTokens(RedrafterNames.projection(layers), vocabulary, exit);
        }
        if (recurrent) {
            require(RedrafterNames.STATE, hiddenSize, hiddenSize);
            reader.require(RedrafterNames.TOKEN, hiddenSize, hiddenSize);
        }
        reader.refuseUnknown(
                "a head of %d blocks with rnn %s".formatted(layers, recurrent), _ -> false);
    }

    private void require(String name, int rows, int columns) {
        reader.require(name + ".weight", rows, columns);
        reader.requireBias(name + ".bias", rows);
    }
}
