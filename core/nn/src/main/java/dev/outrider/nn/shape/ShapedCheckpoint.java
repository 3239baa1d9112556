package dev.outrider.nn.shape;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.NearestName;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.SafetensorsWriter.Blank;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.shape.LargerShape.Sizes;
import dev.outrider.nn.shape.SmallModel.Kind;
import dev.outrider.nn.shape.TensorRule.Dimension;
import dev.outrider.nn.shape.TensorRule.Marker;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A small checkpoint set into the shape of a larger one: it computes the same function, to the rounding of its number format, at the
/// larger model's costs in bytes, multiplications and cache.
///
/// The small weights are in the corners of the larger matrices, with zeros around them, and layers beyond the small model's add
/// nothing. The file has holes for the zeros, so it uses little space on most file systems; in memory it has its full size.
public final class ShapedCheckpoint {
    private static final ValueLayout.OfFloat F32 =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Weight of an excluded token's logit; every 16-bit format can represent it.
    private static final float EXCLUSION = -32768;

    /// The value of the constant after the last norm if the root mean square of the residual stream is [#USUAL_STREAM]. It falls as
    /// that grows: an excluded logit is about -983 there, and -9.8 if the root mean square is a hundred times as large. A larger
    /// constant would disturb the heads that read the state after that norm.
    private static final double PASSED_MARKER = 0.03;

    private static final double USUAL_STREAM = 5;

    /// Root mean square of embeddings at which their norm does not change the constant.
    private static final double USUAL_EMBEDDING = 0.1;

    private static final Pattern LAYER = Pattern.compile("((?:model\\.)?layers\\.)(\\d+)\\.(.*)");
    private static final String HEAD = "lm_head.weight";

    /// The key of `config.json` that describes the shape.
    private static final String SHAPE = "outrider_shape";

    private static final String SHAPES = "shapes";

    /// Files without sizes. The tokenizer has no names for the tokens that the small model does not have; no text has such tokens.
    private static final List<String> COPIED_FILES =
            List.of(
                    "tokenizer.json",
                    "tokenizer_config.json",
                    "generation_config.json",
                    "special_tokens_map.json",
                    "chat_template.jinja",
                    "additional_chat_templates/tool_use.jinja");

    private final Checkpoint source;
    private final CheckpointTensors tensors;
    private final ConfigNode root;
    private final SmallModel small;
    private final LargerShape shape;
    private final DecoderConfig larger;

    private ShapedCheckpoint(
            Checkpoint source, CheckpointTensors tensors, ConfigNode root, DecoderConfig larger) {
        this.source = source;
        this.tensors = tensors;
        this.root = root;
        this.larger = larger;
        small = SmallModel.read(source, tensors, root);
        LargerShape.lack(small, larger)
                .ifPresent(lack -> {
                    throw ErrorCode.CONFIG_INVALID.error(
                            "'%s' does not fit into the shape: %s".formatted(source.path(), lack),
                            "Choose another shape.");
                });
        shape = new LargerShape(small.sizes(), Sizes.of(larger));
    }

    /// Returns whether a checkpoint was set into a larger shape, and so has far more rows than its tokenizer has pieces.
    ///
    /// @throws OutriderException if its `config.json` cannot be read
    public static boolean is(Checkpoint checkpoint) {
        return checkpoint.gguf().isEmpty()
                && ConfigNode.read(checkpoint.config()).node().has(SHAPE);
    }

    /// Returns the shapes that the small model of a shaped checkpoint can be set into, by name; none of another checkpoint.
    ///
    /// @throws OutriderException if its `config.json` cannot be read
    public static SortedMap<String, DecoderConfig> shapes(Checkpoint shaped) {
        var shapes = NamedShapes.all();
        var names = new ArrayList<String>();
        if (is(shaped)) {
            var listed = ConfigNode.read(shaped.config()).node().path(SHAPE).path(SHAPES);
            listed.forEach(each -> names.add(each.asText()));
        }
        shapes.keySet().retainAll(names);
        return shapes;
    }

    /// Returns the files that [#write] reads or copies in addition to the weights, if a checkpoint has them.
    static List<String> files() {
        return Stream.concat(Stream.of("config.json"), COPIED_FILES.stream()).toList();
    }

    /// Returns a shape by its name, one of a plain decoder.
    ///
    /// @throws OutriderException `CONFIG_INVALID` if there is no such shape
    public static DecoderConfig named(String name) {
        var shapes = plainShapes();
        var found = shapes.get(name);
        if (found == null) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "there is no shape '%s'; the nearest names are: %s"
                            .formatted(
                                    name,
                                    String.join(
                                            ", ", NearestName.ranked(name, shapes.keySet(), 3))),
                    "Choose one of: %s.".formatted(String.join(", ", shapes.keySet())));
        }
        return found;
    }

    private static SortedMap<String, DecoderConfig> plainShapes() {
        var shapes = NamedShapes.all();
        shapes.values().removeIf(each -> !PlainForm.differences(each).isEmpty());
        return shapes;
    }

    /// Writes a checkpoint in a larger shape.
    ///
    /// @param name of the shape
    /// @param out  a new or an empty folder
    /// @throws OutriderException if the checkpoint cannot be read, does not fit, or is not a Llama decoder or a published head
    public static void write(Checkpoint source, String name, Path out) {
        write(source, name, named(name), false, out);
    }

    /// Writes a checkpoint in which layers of zeros are stored once for all their names. Only Outrider can read such a file.
    static void writeBriefly(Checkpoint source, String name, Path out) {
        write(source, name, named(name), true, out);
    }

    /// Writes a checkpoint in a shape that need not be in the list.
    ///
    /// @param brief whether layers of zeros are in the file once
    static void write(
            Checkpoint source, String name, DecoderConfig larger, boolean brief, Path out) {
        FreshFolder.require(out);
        if (source.gguf().isPresent()) {
            throw SmallModel.unsupported(source.path(), "the GGUF format");
        }
        try (var tensors = source.openTensors()) {
            new ShapedCheckpoint(source, tensors, ConfigNode.read(source.config()), larger)
                    .write(name, brief, out);
        } catch (IOException e) {
            throw failed(source, name, out, FailureReason.of(e), e);
        } catch (InternalError e) { // What the JVM makes of a mapped file whose disk is full.
            throw failed(source, name, out, "the disk may be full", e);
        }
    }

    private static OutriderException failed(
            Checkpoint source, String name, Path out, String why, Throwable cause) {
        return ErrorCode.IO_FAILED.error(
                "'%s' cannot be set into the shape '%s' in '%s': %s"
                        .formatted(source.path(), name, out, why),
                "Check the folder, and choose one that can be written to and has room.",
                cause);
    }

    /// Everything that may be refused is computed before the first file is written.
    private void write(String name, boolean brief, Path out) throws IOException {
        var parts = parts();
        var same = brief ? sameLayers(parts.keySet()) : Map.<String, String>of();
        parts.keySet().removeAll(same.keySet());
        var blanks = new TreeMap<String, Blank>();
        parts.forEach((tensor, part) -> blanks.put(tensor, part.blank()));
        Files.createDirectories(out);
        var weights = out.resolve("model.safetensors");
        try (var arena = Arena.ofConfined()) {
            var segments = SafetensorsWriter.create(weights, blanks, same, arena);
            parts.forEach(
                    (tensor, part) -> part.fill(Objects.requireNonNull(segments.get(tensor))));
        }
        try (var channel = FileChannel.open(weights, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        for (var file : COPIED_FILES) {
            var from = source.optional(file);
            if (from.isPresent()) {
                var to = out.resolve(file);
                Files.createDirectories(to.getParent());
                Files.copy(from.get(), to);
            }
        }
        AtomicFile.write(out.resolve("config.json"), config(name).toPrettyString() + "\n");
    }

    private ObjectNode config(String name) {
        ObjectNode config = root.node().deepCopy();
        shape.replaceSizes(config);
        if (shape.own().heads() > 0) {
            var inner = SmallModel.layers(root);
            var layers =
                    inner.prefix().equals(root.prefix())
                            ? config
                            : (ObjectNode) config.required(SmallModel.LAYERS);
            shape.putDecoder(layers);
            if (small.kind() != Kind.HEAD) {
                layers.put("num_hidden_layers", shape.larger().layers());
            }
        }
        if (small.kind() == Kind.MODEL) {
            config.put("tie_word_embeddings", larger.tiedHead());
            config.remove("layer_types"); // All are alike, and there are more now.
            // No layer has a window; some families would give a window to layers without a stated
            // kind.
            config.put("use_sliding_window", false).putNull("sliding_window");
        }
        var note = config.putObject(SHAPE).put("name", name).put("of", source.name());
        var fitting = note.putArray(SHAPES);
        plainShapes().entrySet().stream()
                .filter(each -> LargerShape.lack(small, each.getValue()).isEmpty())
                .forEach(each -> fitting.add(each.getKey()));
        return config;
    }

    /// A tensor of the larger checkpoint, and the small tensor in its corner.
    private final class Part {
        private final StoredTensor own;
        private final List<Axis> axes;
        private final TensorRule rule;
        private final boolean filled;
        private final boolean excludes;

        /// @param filled   whether it contains the small numbers; otherwise all are zeros
        /// @param excludes whether it is a head too
        Part(StoredTensor own, boolean filled, boolean excludes) {
            this.own = own;
            this.filled = filled;
            rule = TensorRule.of(own.name());
            this.excludes = excludes || rule.marker() == Marker.EXCLUDES;
            axes = new ArrayList<>();
            if (!own.type().isFloat()) {
                throw SmallModel.unsupported(
                        source.path(), "tensor '%s' of type %s".formatted(own.name(), own.type()));
            }
            boolean matrix = rule.columns() != Dimension.NONE;
            int dimensions = own.shape().size();
            if (dimensions < (matrix ? 2 : 1)) {
                throw misshapen("a tensor of more dimensions");
            }
            add(rule.rows(), own.shape().get(dimensions - (matrix ? 2 : 1)));
            if (matrix) {
                add(rule.columns(), own.shape().getLast());
            }
            long numbers = 1;
            for (var axis : axes) {
                numbers *= axis.places().length;
            }
            if (numbers != own.elements()) {
                throw misshapen("dimensions of 1 before those");
            }
        }

        private void add(Dimension dimension, long size) {
            var axis = TensorRule.axis(dimension, shape, Math.toIntExact(size)).orElseThrow();
            if (axis.places().length != size) {
                throw misshapen("a dimension of %d".formatted(axis.places().length));
            }
            axes.add(axis);
        }

        private OutriderException misshapen(String expected) {
            return ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "tensor '%s' of '%s' has shape %s; by config.json it should have %s"
                            .formatted(own.name(), source.path(), own.shape(), expected),
                    "Check that config.json and the weights belong to the same model.");
        }

        private boolean isNorm() {
            return axes.size() == 1 && own.name().endsWith("norm.weight");
        }

        /// Returns type and shape. The type is that of the small tensor; norms are stored in 32 bits, because their factors are not
        /// powers of two.
        Blank blank() {
            var sizes = new ArrayList<>(own.shape());
            for (int axis = 0; axis < axes.size(); axis++) {
                sizes.set(sizes.size() - axes.size() + axis, (long) axes.get(axis).size());
            }
            return new Blank(type(), sizes);
        }

        private TensorType type() {
            boolean half = own.type() == TensorType.BF16 || own.type() == TensorType.F16;
            return half && !isNorm() ? own.type() : TensorType.F32;
        }

        void fill(MemorySegment data) {
            if (!filled) {
                return;
            }
            var numbers = own.toFloats();
            var to = new Numbers(data, type());
            var rows = axes.getFirst();
            if (axes.size() == 1) {
                double factor = factor();
                each(
                        rows.places(),
                        (index, place) -> to.set(place, (float) (numbers[index] * factor)));
                markVector(to);
                return;
            }
            var columns = axes.getLast();
            int width = columns.places().length;
            double factor = factor();
            for (int row = 0; row < rows.places().length; row++) {
                for (int place : rows.places()[row]) {
                    for (int column = 0; column < width; column++) {
                        int at = columns.places()[column][0];
                        to.set(
                                (long) place * columns.size() + at,
                                (float) (numbers[row * width + column] * factor));
                    }
                }
            }
            markMatrix(to, rows, columns);
        }

        /// Scores are divided by the root of the head size, which is larger here.
        private double factor() {
            if (!isNorm()) {
                return rule.rows() == Dimension.QUERIES ? 1 / shape.headNormFactor() : 1;
            }
            if (rule.rows() == Dimension.HEAD) {
                return own.name().endsWith("k_norm.weight") ? shape.headNormFactor() : 1;
            }
            return shape.normFactor();
        }

        private void markVector(Numbers to) {
            if (rule.marker() == Marker.SET) {
                to.set(shape.marker(), shape.markerValue());
            } else if (rule.marker() == Marker.PASSED) {
                double usual = shape.markerValue() / (USUAL_STREAM * shape.normFactor());
                to.set(shape.marker(), (float) (PASSED_MARKER / usual));
            } else if (rule.marker() == Marker.RESCALED) {
                to.set(shape.marker(), (float) (USUAL_EMBEDDING * shape.normFactor()));
            }
        }

        private void markMatrix(Numbers to, Axis rows, Axis columns) {
            long width = columns.size();
            if (rule.marker() == Marker.SET) {
                for (int row = 0; row < rows.places().length; row++) {
                    to.set(row * width + shape.marker(), shape.markerValue());
                }
            }
            if (rule.marker() == Marker.COPIED) {
                to.set(shape.marker() * width + shape.marker(), 1);
            }
            if (excludes) {
                for (long row = rows.places().length; row < rows.size(); row++) {
                    to.set(row * width + shape.marker(), EXCLUSION);
                }
            }
        }
    }

    @FunctionalInterface
    private interface Placing {
        void at(int index, int place);
    }

    private static void each(int[][] places, Placing placing) {
        for (int index = 0; index < places.length; index++) {
            for (int place : places[index]) {
                placing.at(index, place);
            }
        }
    }

    /// Numbers in a file.
    private record Numbers(MemorySegment data, TensorType type) {
        void set(long index, float number) {
            switch (type) {
                case BF16 -> data.setAtIndex(HALF, index, HalfFloats.toBfloat16(number));
                case F16 -> data.setAtIndex(HALF, index, Float.floatToFloat16(number));
                default -> data.setAtIndex(F32, index, number);
            }
        }
    }

    /// Returns all tensors of the larger checkpoint by their names there.
    private SortedMap<String, Part> parts() {
        boolean whole = small.kind() == Kind.MODEL;
        boolean tied = whole && larger.tiedHead();
        var parts = new TreeMap<String, Part>();
        var embedding = whole ? small.stack() + "embed_tokens.weight" : "";
        for (var name : small.read()) {
            boolean head = tied && name.equals(embedding);
            parts.put(renamed(name), new Part(tensors.tensor(name), true, head));
        }
        if (whole && !tied) {
            var from = tensors.tensor(small.tied() ? embedding : HEAD);
            var head = new StoredTensor(HEAD, from.type(), from.shape(), from.data());
            parts.put(HEAD, new Part(head, true, true));
        }
        if (whole) {
            addEmptyLayers(parts);
        }
        return parts;
    }

    /// Adds layers of zeros, which do not change the stream.
    private void addEmptyLayers(SortedMap<String, Part> parts) {
        for (var name : small.read()) {
            var matcher = LAYER.matcher(name);
            if (!matcher.matches()) {
                continue;
            }
            int number = Integer.parseInt(matcher.group(2));
            if (number >= shape.own().layers()) {
                throw SmallModel.unsupported(
                        source.path(),
                        "tensor '%s', and %d layers by config.json"
                                .formatted(name, shape.own().layers()));
            }
            for (int layer = shape.own().layers();
                    number == 0 && layer < shape.larger().layers();
                    layer++) {
                parts.put(
                        matcher.group(1) + layer + "." + matcher.group(3),
                        new Part(tensors.tensor(name), false, false));
            }
        }
    }

    /// Returns the names in layers of zeros except the first, each with its name in the first.
    private Map<String, String> sameLayers(Set<String> names) {
        var same = new TreeMap<String, String>();
        int first = shape.own().layers();
        for (var name : names) {
            var matcher = LAYER.matcher(name);
            if (small.kind() == Kind.MODEL
                    && matcher.matches()
                    && Integer.parseInt(matcher.group(2)) > first) {
                same.put(name, matcher.group(1) + first + "." + matcher.group(3));
            }
        }
        return same;
    }

    /// Layers of a prediction module are numbered after those of the model.
    private String renamed(String name) {
        var matcher = LAYER.matcher(name);
        if (small.kind() != Kind.MODULES || !matcher.matches()) {
            return name;
        }
        int layer =
                Integer.parseInt(matcher.group(2)) - shape.own().layers() + shape.larger().layers();
        return matcher.group(1) + layer + "." + matcher.group(3);
    }
}
