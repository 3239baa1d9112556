package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.sequence.Matrices.Stored;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Reads a checkpoint tensor by tensor, each of the shape that is expected, and keeps account of what was read.
final class HeadTensorsReader {
    private static final String OTHER_TARGET = "Choose heads that were trained for this target.";

    private final CheckpointTensors tensors;
    private final String layout;
    private final Set<String> known = new HashSet<>();

    /// @param layout whose it is, for messages
    HeadTensorsReader(CheckpointTensors tensors, String layout) {
        this.tensors = tensors;
        this.layout = layout;
    }

    boolean has(String name) {
        return tensors.names().contains(name);
    }

    Set<String> names() {
        return tensors.names();
    }

    /// Checks a matrix that must be there.
    void require(String name, int rows, int columns) {
        known.add(name);
        tensors.tensor(name, rows, columns);
    }

    /// Checks a bias that must be there.
    void requireBias(String name, int rows) {
        known.add(name);
        tensors.tensor(name, rows);
    }

    /// Checks a matrix with as many rows as there are tokens. Another number of them is the sign of another vocabulary, which says
    /// more than a wrong shape does.
    ///
    /// @throws OutriderException `DRAFTER_VOCABULARY_MISMATCH`
    void requireTokens(String name, int vocabulary, int columns) {
        var shape = tensors.tensor(name).shape();
        if (shape.size() == 2 && shape.get(1) == columns && shape.get(0) != vocabulary) {
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                    "'%s' of '%s' has %d rows; expected %d, one for each logit of the target"
                            .formatted(name, source(), shape.get(0), vocabulary),
                    OTHER_TARGET);
        }
        require(name, vocabulary, columns);
    }

    /// Reads a matrix that was checked, and a bias where there is one.
    Stored matrix(String name, int rows, int columns, Optional<String> bias) {
        return new Stored(
                name,
                tensors.tensor(name, rows, columns).toFloats(),
                rows,
                columns,
                bias.filter(this::has).map(each -> tensors.tensor(each, rows).toFloats()));
    }

    /// Refuses tensors that nobody asked for.
    ///
    /// @param ignored those that may be there
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    void refuseUnknown(String what, Predicate<String> ignored) {
        var unknown = new ArrayList<String>();
        for (var name : tensors.names()) {
            if (!known.contains(name) && !ignored.test(name)) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            throw unsupported(
                    "'%s' has tensors that %s do not have: %s"
                            .formatted(
                                    source(),
                                    what,
                                    String.join(
                                            ", ", unknown.stream().sorted().limit(5).toList())));
        }
    }

    /// Refuses a configuration that is about another target.
    ///
    /// @throws OutriderException `CHECKPOINT_SHAPE_MISMATCH` or `DRAFTER_VOCABULARY_MISMATCH`
    void requireTarget(ConfigNode config, int hiddenSize, int vocabulary) {
        int width = config.positive("hidden_size", hiddenSize);
        if (width != hiddenSize) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                    "'%s' says hidden_size %d; the target's is %d"
                            .formatted(config.path(), width, hiddenSize),
                    OTHER_TARGET);
        }
        int tokens = config.positive("vocab_size", vocabulary);
        if (tokens != vocabulary) {
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                    "'%s' says vocab_size %d; the target's is %d"
                            .formatted(config.path(), tokens, vocabulary),
                    OTHER_TARGET);
        }
    }

    /// Refuses a number of the configuration that is not that of the tensors.
    ///
    /// @throws OutriderException `MODEL_CONFIG_INVALID`
    void requireSame(ConfigNode config, String key, int found, String what) {
        int said = config.natural(key, found);
        if (said != found) {
            throw new OutriderException(
                    ErrorCode.MODEL_CONFIG_INVALID,
                    "'%s' says %s %d, but '%s' has %d %s"
                            .formatted(config.path(), key, said, source(), found, what),
                    "Check that config.json and the weights belong together.");
        }
    }

    OutriderException unsupported(String problem) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                problem,
                "Use heads in the layout of %s.".formatted(layout));
    }

    Path source() {
        return tensors.source();
    }
}
