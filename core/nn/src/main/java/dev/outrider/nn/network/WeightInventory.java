package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The tensors of a checkpoint that a decoder is made of. The constructor checks that all of them are there, with the shapes and
/// number formats wanted, none for two weights at once: after that check, the sizes of a configuration are no larger than the files
/// that hold the weights. The time of the check grows with the tensors of the files, not with the layers that a configuration states.
final class WeightInventory {
    private static final Set<TensorType> READABLE =
            EnumSet.of(TensorType.F32, TensorType.F16, TensorType.BF16, TensorType.F64);

    private static final String BIAS = ".bias";

    /// Much more than any layer's outputs.
    private static final long LONGEST_BIAS = 1 << 24;

    private final DecoderConfig config;
    private final CheckpointTensors tensors;
    private final WeightNaming names;
    private final Optional<Quantisation> stated;
    private final Set<String> read = new HashSet<>();
    private final Set<String> plain = new HashSet<>();
    private final Set<String> shared = new HashSet<>();
    private final Set<String> grouped = new HashSet<>();
    private final Set<TensorPart> rows = new HashSet<>();
    private Optional<Levels> levels = Optional.empty();

    /// @param stated the format of linear weights in few bits that the configuration states
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_SHAPE_MISMATCH` or `CHECKPOINT_UNSUPPORTED`
    WeightInventory(
            DecoderConfig config,
            CheckpointTensors tensors,
            WeightNaming names,
            Optional<Quantisation> stated) {
        this.config = config;
        this.tensors = tensors;
        this.names = names;
        this.stated = stated;
        for (var weight : Weight.values()) {
            if (!weight.perLayer()) {
                check(weight, 0);
            }
        }
        // The first layer that does not exist ends this loop: the number of layers is limited by
        // the number of tensors.
        for (int layer = 0; layer < config.layers(); layer++) {
            for (var weight : Weight.values()) {
                if (weight.perLayer()) {
                    checkLayer(weight, layer);
                }
            }
        }
    }

    /// Returns the names of the tensors that weights are read from.
    Set<String> read() {
        return Collections.unmodifiableSet(read);
    }

    /// Returns the names of those tensors that are matrices of layers and not in levels.
    Set<String> plain() {
        return Collections.unmodifiableSet(plain);
    }

    /// Returns the names of the tensors of matrices in few bits in other programs' formats.
    Set<String> grouped() {
        return Collections.unmodifiableSet(grouped);
    }

    /// Returns the levels of the quantized weights, if there are any.
    Optional<Levels> levels() {
        return levels;
    }

    /// Experts of a layer that has none are not looked for: the configuration may state any number of experts.
    private void checkLayer(Weight weight, int layer) {
        if (weight.perExpert() && !config.sparse(layer)) {
            return;
        }
        int end = weight.first(config, layer + 1);
        for (int number = weight.first(config, layer); number < end; number++) {
            check(weight, number);
        }
    }

    private void check(Weight weight, int number) {
        var parts = names.parts(weight, number);
        if (!weight.present(config, number)) {
            // A bias or norm that the configuration does not have would change every result if it
            // were left out.
            if (weight.perLayer()) {
                parts.stream()
                        .filter(TensorPart::whole)
                        .map(TensorPart::name)
                        .filter(this::mattersUnread)
                        .forEach(this::refuse);
            }
            return;
        }
        for (var part : parts) {
            long[] shape = weight.shape(config, number);
            shape[0] /= parts.size();
            if (weight.linear() && inFewBits(part.name())) {
                takeGroups(part, shape);
            } else if (!part.whole()) {
                requireReadable(part.in(tensors, shape));
                takeRows(part, List.of(part.name()));
            } else {
                check(weight, part.name(), shape);
            }
        }
    }

    private void check(Weight weight, String part, long[] shape) {
        if (weight.linear() && PackedMatrix.isIn(tensors, part)) {
            var packed = PackedMatrix.of(tensors, part, shape);
            requireOneKind(packed, part);
            packed.names().forEach(this::take);
        } else {
            requireReadable(tensors.tensor(part, shape));
            take(part);
            if (weight.linear() && weight != Weight.HEAD) {
                plain.add(part);
            }
        }
    }

    private boolean inFewBits(String name) {
        return stated.filter(form -> GroupedMatrix.isIn(tensors, name, form)).isPresent();
    }

    private void takeGroups(TensorPart part, long[] shape) {
        if (part.transposed()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' has weight '%s' in few bits with inputs for rows; expected outputs for rows"
                            .formatted(tensors.source(), part.name()),
                    "Use a checkpoint that is not quantised, or the model as GGUF.");
        }
        var matrix =
                GroupedMatrix.of(
                        tensors, part.name(), stated.orElseThrow(), part.wholeShape(shape));
        grouped.addAll(matrix.names());
        if (part.whole()) {
            matrix.names().forEach(this::take);
        } else {
            takeRows(part, matrix.names());
        }
    }

    /// Records that rows of a tensor are used, each once, or the whole tensor by all weights that share it.
    private void takeRows(TensorPart part, List<String> names) {
        boolean whole =
                names.stream().anyMatch(name -> read.contains(name) && !shared.contains(name));
        if (whole || !rows.add(part)) {
            throw unsupported(
                    "'%s' holds one tensor '%s', which its config.json needs more than once"
                            .formatted(tensors.source(), part.name()));
        }
        shared.addAll(names);
        read.addAll(names);
    }

    private void requireOneKind(PackedMatrix packed, String name) {
        var first = levels.orElse(packed.levels());
        if (packed.levels() != first) {
            throw unsupported(
                    "'%s' holds tensor '%s' in %d bits and others in %d; expected one number of bits"
                            .formatted(
                                    tensors.source(), name, packed.levels().bits(), first.bits()));
        }
        levels = Optional.of(first);
    }

    private void take(String name) {
        if (!read.add(name)) {
            throw unsupported(
                    "'%s' holds one tensor '%s', which its config.json needs more than once"
                            .formatted(tensors.source(), name));
        }
    }

    private boolean mattersUnread(String name) {
        return tensors.names().contains(name)
                && !names.mayStayUnread(name, tensors.names())
                && !addsNothing(name);
    }

    /// Older writers of GPTQ give every linear layer a bias, of zeros if the model has none. A scale of activations is for
    /// engines that round them.
    private boolean addsNothing(String name) {
        var layer = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        if (!inFewBits(layer + ".weight")) {
            return false;
        }
        if (!name.endsWith(BIAS)) {
            return name.endsWith(".input_scale");
        }
        var bias = tensors.tensor(name);
        if (!bias.type().isFloat() || bias.elements() > LONGEST_BIAS) {
            return false;
        }
        for (float number : bias.toFloats()) {
            if (number != 0) {
                return false;
            }
        }
        return true;
    }

    private void refuse(String name) {
        throw unsupported(
                "'%s' holds tensor '%s', which the model of its config.json does not have"
                        .formatted(tensors.source(), name));
    }

    private static void requireReadable(StoredTensor tensor) {
        if (!READABLE.contains(tensor.type()) && tensor.type().blocks().isEmpty()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "tensor '%s' is stored as %s; expected one of %s"
                            .formatted(tensor.name(), tensor.type(), READABLE),
                    "Use a checkpoint that is not quantised, or convert it to BF16.");
        }
    }

    /// Refuses tensors that nothing reads and that the layout does not allow to stay unread.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    void requireNothingElse() {
        tensors.names().stream()
                .filter(name -> !read.contains(name))
                .filter(this::mattersUnread)
                .min(String::compareTo)
                .ifPresent(this::refuse);
    }

    private static OutriderException unsupported(String problem) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                problem, "Check that config.json and the weights belong to the same model.");
    }
}
