package dev.outrider.nn.network;

import dev.outrider.common.Require;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The weights of a checkpoint in the Hugging Face layout of its family.
///
/// Thread-safe.
public final class CheckpointWeights implements WeightSource {
    /// Bytes of the rows that are read at once: few enough to stay in the cache.
    private static final long AT_ONCE = 1 << 20;

    private final DecoderConfig config;
    private final CheckpointTensors tensors;
    private final WeightNaming names;
    private final Optional<Quantisation> stated;
    private final WeightInventory inventory;

    /// Makes the weights of a whole model, or of an encoder-decoder's part.
    ///
    /// @param config  the architecture; the files are checked against it at once
    /// @param tensors the files; must stay open while weights are loaded
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` if a tensor is missing, `CHECKPOINT_SHAPE_MISMATCH`,
    ///                           `CHECKPOINT_UNSUPPORTED` if the files contain parts that the architecture does not have, such as biases
    ///                           or further layers
    public CheckpointWeights(DecoderConfig config, CheckpointTensors tensors) {
        this(config, tensors, naming(config, tensors), Optional.empty());
        inventory.requireNothingElse();
    }

    /// Returns the weights of a whole model, or of an encoder-decoder's part, in the number format that a configuration states.
    ///
    /// @param stated format of linear weights in few bits, if they are in one
    /// @throws OutriderException as the other constructor, and `CHECKPOINT_UNSUPPORTED` if they are in another format
    public static CheckpointWeights of(
            DecoderConfig config, CheckpointTensors tensors, Optional<Quantisation> stated) {
        var weights = new CheckpointWeights(config, tensors, naming(config, tensors), stated);
        weights.inventory.requireNothingElse();
        return weights.inventory.grouped().isEmpty()
                ? weights.requireLevels(stated.flatMap(Quantisation::levels))
                        .requireGroups(stated.filter(form -> form.levels().isEmpty()))
                : weights;
    }

    /// Makes the weights of a part of a checkpoint, or of one in another layout.
    ///
    /// @param names the layout's names of the weights
    /// @throws OutriderException as the other constructor, but further tensors may be there
    public CheckpointWeights(DecoderConfig config, CheckpointTensors tensors, WeightNaming names) {
        this(config, tensors, names, Optional.empty());
    }

    private CheckpointWeights(
            DecoderConfig config,
            CheckpointTensors tensors,
            WeightNaming names,
            Optional<Quantisation> stated) {
        this.config = config;
        this.tensors = tensors;
        this.names = names;
        this.stated = stated;
        inventory = new WeightInventory(config, tensors, names, stated);
    }

    private static WeightNaming naming(DecoderConfig config, CheckpointTensors tensors) {
        return tensors.gguf()
                .<WeightNaming>map(metadata ->
                        TensorNames.ofGguf(
                                config,
                                metadata.text("general.architecture").orElse(""),
                                tensors.names()))
                .orElseGet(() -> WeightNaming.of(config, tensors.names()));
    }

    /// Requires that weights are in the format that a configuration states.
    ///
    /// @param stated levels in the configuration, or none
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    public CheckpointWeights requireLevels(Optional<Levels> stated) {
        if (!inventory.levels().equals(stated)) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' holds weights %s; expected them %s, as its config.json says"
                            .formatted(tensors.source(), said(inventory.levels()), said(stated)),
                    "Check that config.json and the weights belong to the same model.");
        }
        return this;
    }

    private CheckpointWeights requireGroups(Optional<Quantisation> wanted) {
        wanted.ifPresent(form -> {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' holds no weights that are kept as %s; expected some, as its config.json says"
                            .formatted(tensors.source(), form),
                    "Check that config.json and the weights belong to the same model.");
        });
        return this;
    }

    private static String said(Optional<Levels> levels) {
        return levels.map(each -> "quantised to %d bits".formatted(each.bits()))
                .orElse("that are not quantised");
    }

    /// Returns whether matrices can be used in the file's format, each in its own.
    public boolean inBlocks() {
        return tensors.gguf().isPresent() || !inventory.grouped().isEmpty();
    }

    /// Returns a matrix in the file's format.
    ///
    /// @return empty unless [#inBlocks]
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if the file stores its columns as rows
    Optional<FileMatrix> inBlocks(Weight weight, int layer) {
        if (!inBlocks()) {
            return Optional.empty();
        }
        var part = parts(weight, layer).getFirst();
        if (part.transposed()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' has weights in few bits beside '%s', whose rows are inputs; expected outputs for rows"
                            .formatted(tensors.source(), part.name()),
                    "Set 'precision', which widens them, or take the model as GGUF.");
        }
        long[] shape = weight.shape(config, layer);
        LongUnaryOperator place = part.whole() ? row -> row : part::row;
        return Optional.of(
                grouped(part, shape)
                        .<FileMatrix>map(matrix -> matrix.rows(shape[0], place))
                        .orElseGet(
                                () -> new BlockMatrix(part.in(tensors, shape), shape[0], place)));
    }

    /// Returns the matrix in few bits that a weight is, or that contains its rows.
    private Optional<GroupedMatrix> grouped(TensorPart part, long... shape) {
        return grouped(part.name(), part.wholeShape(shape))
                .map(matrix ->
                        part.stacked() == 0
                                ? matrix
                                : matrix.rows(
                                        part.rows(), row -> part.which() * part.rows() + row));
    }

    private Optional<GroupedMatrix> grouped(String name, long... shape) {
        return stated.filter(_ -> inFewBits(name))
                .map(form -> GroupedMatrix.of(tensors, name, form, shape));
    }

    private boolean inFewBits(String name) {
        return stated.filter(form -> GroupedMatrix.isIn(tensors, name, form)).isPresent();
    }

    /// Returns the formats of the matrices: those in few bits first, otherwise the one with the most bytes.
    String formats() {
        var bytes = new EnumMap<TensorType, Long>(TensorType.class);
        for (var name : matrices()) {
            var tensor = tensors.tensor(name);
            bytes.merge(tensor.type(), tensor.data().byteSize(), Long::sum);
        }
        var plain =
                bytes.entrySet().stream()
                        .sorted(Map.Entry.<TensorType, Long>comparingByValue().reversed())
                        .map(entry -> entry.getKey().name().toLowerCase(Locale.ROOT));
        return Stream.concat(
                        stated.filter(_ -> !inventory.grouped().isEmpty()).stream()
                                .map(Quantisation::toString),
                        plain)
                .collect(Collectors.joining("+"));
    }

    private Set<String> matrices() {
        return inventory.read().stream()
                .filter(name -> !inventory.grouped().contains(name))
                .filter(name -> tensors.tensor(name).shape().size() >= 2)
                .collect(Collectors.toSet());
    }

    /// Returns the precision of the files' matrices: levels if there are any, otherwise as [Precision#of]; for a file whose
    /// matrices are in blocks, the nearest precision.
    public Precision precision() {
        if (inBlocks()) {
            boolean plain =
                    matrices().stream().allMatch(name -> tensors.tensor(name).type().isFloat());
            return plain ? Precision.of(tensors, matrices()) : Precision.BF16;
        }
        return inventory
                .levels()
                .map(Precision::of)
                .orElseGet(() -> Precision.of(tensors, inventory.read()));
    }

    /// Returns the names of the tensors that weights are read from.
    public Set<String> read() {
        return inventory.read();
    }

    /// Returns the names of those tensors that can be quantised: matrices of layers, but not embedding and head.
    public Set<String> quantisable() {
        return inventory.plain();
    }

    @Override
    public Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
        var parts = parts(weight, layer);
        var part = parts.getFirst();
        long[] shape = weight.shape(config, layer);
        if (parts.size() > 1) {
            return Optional.empty();
        }
        // Plans of larger shapes ask for layers that do not exist.
        if (isPlain(part, shape) && tensors.names().contains(part.name())) {
            var tensor = part.in(tensors, shape);
            LongUnaryOperator place = part.whole() ? row -> row : part::row;
            return kept.isHalvesOf(tensor.type())
                    ? Optional.of(new BlockMatrix(tensor, shape[0], place))
                    : Optional.empty();
        }
        return inventory
                .levels()
                .filter(levels -> Precision.of(levels) == kept)
                .filter(_ -> part.whole() && PackedMatrix.isIn(tensors, part.name()))
                .map(_ -> PackedMatrix.of(tensors, part.name(), shape));
    }

    private List<TensorPart> parts(Weight weight, int layer) {
        var parts = names.parts(weight, layer);
        Require.that(!parts.isEmpty(), "the layout of '%s' has no %s", tensors.source(), weight);
        return parts;
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        var parts = parts(weight, layer);
        long[] shape = weight.shape(config, layer);
        shape[0] /= parts.size();
        try (var arena = Arena.ofConfined()) {
            long bytes = weight.elements(config, layer) * Float.BYTES;
            var floats = arena.allocate(bytes, Float.BYTES);
            long size = bytes / parts.size();
            for (int index = 0; index < parts.size(); index++) {
                rows(parts.get(index), shape, floats.asSlice(index * size, size));
            }
            reader.accept(floats);
        }
    }

    @Override
    public void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
        var parts = parts(weight, layer);
        long[] shape = weight.shape(config, layer);
        shape[0] /= parts.size();
        if (!parts.stream().allMatch(part -> isPlain(part, shape))) {
            read(weight, layer, reader);
            return;
        }
        long bytes = shape[1] * Float.BYTES;
        long most = atOnce(shape);
        try (var arena = Arena.ofConfined()) {
            var floats = arena.allocate(most * bytes, Float.BYTES);
            for (var part : parts) {
                var tensor = part.in(tensors, shape);
                for (long first = 0; first < shape[0]; first += most) {
                    var some = floats.asSlice(0, Math.min(most, shape[0] - first) * bytes);
                    plainRows(tensor, part, first, some);
                    reader.accept(some);
                }
            }
        }
    }

    @Override
    public long readingBytes(DecoderConfig of, Weight weight, int layer) {
        var parts = parts(weight, layer);
        long[] shape = weight.shape(config, layer);
        shape[0] /= parts.size();
        if (parts.stream().allMatch(part -> isPlain(part, shape))) {
            return atOnce(shape) * shape[1] * Float.BYTES;
        }
        long elements = weight.elements(config, layer);
        long selected =
                parts.stream()
                        .filter(part -> !part.whole() && !isPlain(part, shape))
                        .mapToLong(part -> elements(part.shape(shape)))
                        .max()
                        .orElse(0);
        return Math.multiplyExact(Math.addExact(elements, selected), Float.BYTES);
    }

    /// Returns how many rows of a plain matrix are read at once.
    static long atOnce(long... shape) {
        return Math.clamp(AT_ONCE / (shape[1] * Float.BYTES), 1, shape[0]);
    }

    private static long elements(long... shape) {
        return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    /// Returns whether rows of a part can be read one by one.
    private boolean isPlain(TensorPart part, long... shape) {
        return shape.length == 2
                && !part.transposed()
                && !PackedMatrix.isIn(tensors, part.name())
                && !inFewBits(part.name());
    }

    /// Reads all rows of a part.
    ///
    /// @param shape  of the part's weight
    /// @param floats receives them
    private void rows(TensorPart part, long[] shape, MemorySegment floats) {
        if (isPlain(part, shape)) {
            plainRows(part.in(tensors, shape), part, 0, floats);
        } else if (part.whole()) {
            floats(part, shape, floats);
        } else {
            selected(part, shape, floats);
        }
    }

    private static void plainRows(
            StoredTensor tensor, TensorPart part, long first, MemorySegment floats) {
        long bytes = tensor.shape().getLast() * Float.BYTES;
        long count = floats.byteSize() / bytes;
        if (part.whole()) {
            tensor.rows(first, count).toFloats(floats);
            return;
        }
        for (long row = 0; row < count; row++) {
            tensor.row(part.row(first + row)).toFloats(floats.asSlice(row * bytes, bytes));
        }
    }

    /// Selects rows of a tensor that is read as a whole.
    private void selected(TensorPart part, long[] shape, MemorySegment floats) {
        long elements = elements(part.shape(shape));
        long columns = shape.length == 1 ? 1 : shape[1];
        try (var arena = Arena.ofConfined()) {
            var all = arena.allocate(Math.multiplyExact(elements, Float.BYTES), Float.BYTES);
            floats(part, shape, all);
            for (long row = 0; row < shape[0]; row++) {
                long from = part.row(row);
                if (!part.transposed() || shape.length == 1) {
                    long bytes = columns * Float.BYTES;
                    MemorySegment.copy(all, from * bytes, floats, row * bytes, bytes);
                    continue;
                }
                for (long column = 0; column < columns; column++) {
                    floats.setAtIndex(
                            ValueLayout.JAVA_FLOAT,
                            row * columns + column,
                            all.getAtIndex(ValueLayout.JAVA_FLOAT, column * part.rows() + from));
                }
            }
        }
    }

    /// @param shape of the weight that has the part, or rows of it
    private void floats(TensorPart part, long[] shape, MemorySegment floats) {
        var grouped = grouped(part, shape);
        if (grouped.isPresent()) {
            grouped.get().toFloats(floats);
        } else if (PackedMatrix.isIn(tensors, part.name())) {
            PackedMatrix.of(tensors, part.name(), part.shape(shape)).toFloats(floats);
        } else {
            part.in(tensors, shape).toFloats(floats);
        }
    }
}
