package dev.outrider.drafting.head;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The tensors of a head without decoder layers: reads them by name and shape, and refuses tensors that are not read.
public final class HeadTensors {
    private static final String OTHER_TARGET = "Choose heads that were trained for this target.";

    private final CheckpointTensors tensors;
    private final String layout;
    private final Set<String> known = new HashSet<>();

    /// @param layout name of the layouts in messages
    public HeadTensors(CheckpointTensors tensors, String layout) {
        this.tensors = tensors;
        this.layout = layout;
    }

    /// Opens the file of heads in a folder, or its model files if there is no such file.
    ///
    /// @param name of the file, without its ending
    /// @throws OutriderException `PICKLE_REFUSED` if the heads exist only as a pickle, or as
    ///     [Checkpoint#openTensors]
    public static CheckpointTensors open(Checkpoint directory, String name) {
        var safe = name + ".safetensors";
        var pickle = name + ".pt";
        var heads = directory.optional(safe);
        if (heads.isPresent()) {
            return CheckpointTensors.ofFile(heads.get());
        }
        if (directory.optional(pickle).isPresent()) {
            throw ErrorCode.PICKLE_REFUSED.error(
                    "'%s' has its heads only as a pickle, '%s', and loading a pickle can run any code; expected %s"
                            .formatted(directory.path(), pickle, safe),
                    ("Convert it where you trust it: in Python, heads = torch.load('%s',"
                                    + " weights_only=True); safetensors.torch.save_file({k:"
                                    + " v.clone().contiguous() for k, v in heads.items()}, '%s').")
                            .formatted(pickle, safe));
        }
        return directory.openTensors();
    }

    /// Returns whether there is such a tensor.
    public boolean has(String name) {
        return tensors.names().contains(name);
    }

    /// Returns the names of all tensors.
    public Set<String> names() {
        return tensors.names();
    }

    /// Returns the file or folder.
    public Path source() {
        return tensors.source();
    }

    /// Checks the shape of a tensor.
    ///
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` or `CHECKPOINT_SHAPE_MISMATCH`
    public void require(String name, long... shape) {
        known.add(name);
        tensors.tensor(name, shape);
    }

    /// Checks the shape of a matrix and of its bias.
    ///
    /// @param name without `.weight` and `.bias`
    public void requireBiased(String name, int rows, int columns) {
        require(name + ".weight", rows, columns);
        require(name + ".bias", rows);
    }

    /// Checks the shape of a matrix with a row for every token.
    ///
    /// @param each the meaning of a row, for messages
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH` if it has rows for other tokens
    public void requireTokens(String name, int tokens, int columns, String each) {
        var shape = tensors.tensor(name).shape();
        if (shape.size() == 2 && shape.get(1) == columns && shape.get(0) != tokens) {
            throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                    "'%s' of '%s' has %d rows; expected %d, one for each %s"
                            .formatted(name, source(), shape.get(0), tokens, each),
                    OTHER_TARGET);
        }
        require(name, tokens, columns);
    }

    /// Returns a matrix with its bias, if there is one.
    ///
    /// @param name without `.weight` and `.bias`
    public LinearWeights matrix(String name, int rows, int columns) {
        var bias = name + ".bias";
        return new LinearWeights(
                name,
                tensors.tensor(name + ".weight", rows, columns).toFloats(),
                rows,
                columns,
                has(bias) ? Optional.of(tensors.tensor(bias, rows).toFloats()) : Optional.empty());
    }

    /// Refuses tensors that were not read.
    ///
    /// @param what    the heads, for messages
    /// @param ignored tensors that may be there
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    public void refuseUnknown(String what, Predicate<String> ignored) {
        var unknown =
                tensors.names().stream()
                        .filter(name -> !known.contains(name) && !ignored.test(name))
                        .sorted()
                        .limit(5)
                        .toList();
        if (!unknown.isEmpty()) {
            throw unsupported(
                    "'%s' has tensors that %s do not have: %s"
                            .formatted(source(), what, String.join(", ", unknown)));
        }
    }

    /// Compares the sizes that a configuration gives with the target's.
    ///
    /// @throws OutriderException `CHECKPOINT_SHAPE_MISMATCH` or `DRAFTER_VOCABULARY_MISMATCH`
    public static void requireTarget(ConfigNode config, int hiddenSize, int vocabulary) {
        requireWidth(config, hiddenSize);
        int tokens = config.positive("vocab_size", vocabulary);
        if (tokens != vocabulary) {
            throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                    "'%s' says vocab_size %d; the target's is %d"
                            .formatted(config.path(), tokens, vocabulary),
                    OTHER_TARGET);
        }
    }

    /// Compares the hidden size that a configuration gives with the target's.
    ///
    /// @throws OutriderException `CHECKPOINT_SHAPE_MISMATCH`
    public static void requireWidth(ConfigNode config, int hiddenSize) {
        int width = config.positive("hidden_size", hiddenSize);
        if (width != hiddenSize) {
            throw ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "'%s' says hidden_size %d; the target's is %d"
                            .formatted(config.path(), width, hiddenSize),
                    OTHER_TARGET);
        }
    }

    /// Compares a number of a configuration with the counted one.
    ///
    /// @param what the counted things
    /// @throws OutriderException `MODEL_CONFIG_INVALID`
    public void requireSame(ConfigNode config, String key, int counted, String what) {
        int given = config.natural(key, counted);
        if (given != counted) {
            throw ErrorCode.MODEL_CONFIG_INVALID.error(
                    "'%s' says %s %d, but '%s' has %d %s"
                            .formatted(config.path(), key, given, source(), counted, what),
                    "Check that config.json and the weights belong together.");
        }
    }

    /// Returns the error for a file that is not such a head.
    public OutriderException unsupported(String problem) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                problem, "Use heads in the layout of %s.".formatted(layout));
    }
}
