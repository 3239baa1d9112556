package dev.outrider.nn.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.NearestName;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointJson;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.SafetensorsWriter.Blank;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.shape.LargerShape.Sizes;
import dev.outrider.nn.shape.TensorRule.Dimension;
import dev.outrider.nn.shape.TensorRule.Marker;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A small checkpoint set into the shape of a larger one: it computes the same function, to rounding, at the larger model's costs in
/// bytes, multiplications and cache.
///
/// The small weights are the corners of the larger matrices, zeros are beside them, and layers beyond the small model's add nothing.
/// The file has holes for the zeros, so it takes little room on most file systems; in memory it has its full size.
public final class ShapedCheckpoint {
    private static final ValueLayout.OfFloat F32 =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort BF16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Weight of an excluded token's logit; every 16-bit format has it.
    private static final float EXCLUSION = -32768;

    /// What the constant is after the last norm, where the residual stream's root mean square is [#USUAL_STREAM].
    private static final double PASSED_MARKER = 0.03;

    private static final double USUAL_STREAM = 5;
    private static final Pattern LAYER = Pattern.compile("model\\.layers\\.(\\d+)\\.(.*)");
    private static final List<String> COPIED_FILES =
            List.of("tokenizer_config.json", "generation_config.json", "special_tokens_map.json");

    private final Checkpoint source;
    private final CheckpointTensors tensors;
    private final ObjectNode config;
    private final LargerShape shape;
    private final boolean whole;

    private ShapedCheckpoint(
            Checkpoint source, CheckpointTensors tensors, ObjectNode config, Sizes larger) {
        this.source = source;
        this.tensors = tensors;
        this.config = config;
        var sizes = config.has("hidden_size") ? config : config.path("transformer_layer_config");
        shape = LargerShape.of(source.path(), Sizes.of(sizes), larger);
        whole = tensors.names().contains("model.embed_tokens.weight");
    }

    /// Returns a shape by its name.
    ///
    /// @throws OutriderException `CONFIG_INVALID` if there is no such shape
    public static DecoderConfig named(String name) {
        var shapes = NamedShapes.all();
        var found = shapes.get(name);
        if (found == null) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "there is no shape '%s'; the nearest names are: %s"
                            .formatted(
                                    name,
                                    String.join(
                                            ", ", NearestName.ranked(name, shapes.keySet(), 3))),
                    "Choose one of: %s.".formatted(String.join(", ", shapes.keySet())));
        }
        return found;
    }

    /// Writes a checkpoint in a larger shape.
    ///
    /// @param name of the shape
    /// @param out  a new or an empty folder
    /// @throws OutriderException if the checkpoint cannot be read, does not fit, or is not a Llama decoder or a published head
    public static void write(Checkpoint source, String name, Path out) {
        var larger = named(name);
        FreshFolder.require(out);
        try (var tensors = source.openTensors()) {
            Files.createDirectories(out);
            if (!(CheckpointJson.read(source.config()) instanceof ObjectNode config)) {
                throw new IOException("config.json is not an object");
            }
            new ShapedCheckpoint(source, tensors, config, Sizes.of(larger))
                    .write(name, larger.tiedHead(), out);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "'%s' cannot be set into the shape '%s' in '%s': %s"
                            .formatted(source.path(), name, out, FailureReason.of(e)),
                    "Check the folder, and choose one that can be written to and has room.",
                    e);
        }
    }

    private void write(String name, boolean tied, Path out) throws IOException {
        var parts = parts(tied);
        try (var arena = Arena.ofConfined()) {
            var blanks = new TreeMap<String, Blank>();
            parts.forEach((tensor, part) -> blanks.put(tensor, part.blank()));
            var segments =
                    SafetensorsWriter.create(out.resolve("model.safetensors"), blanks, arena);
            parts.forEach(
                    (tensor, part) -> part.fill(Objects.requireNonNull(segments.get(tensor))));
        }
        for (var file : COPIED_FILES) {
            var from = source.optional(file);
            if (from.isPresent()) {
                Files.copy(from.get(), out.resolve(file));
            }
        }
        if (Files.exists(source.tokenizer())) {
            AtomicFile.write(out.resolve("tokenizer.json"), tokenizer().toString());
        }
        shape.resize(config, whole);
        if (whole) {
            config.put("tie_word_embeddings", tied);
        }
        config.putObject("outrider_shape").put("name", name).put("of", source.name());
        AtomicFile.write(out.resolve("config.json"), config.toPrettyString() + "\n");
    }

    /// Returns the tokenizer with names for the tokens that the small model does not have. No merge makes them, so no text has them.
    private JsonNode tokenizer() throws IOException {
        var root = CheckpointJson.read(source.tokenizer());
        if (!(root.path("model").path("vocab") instanceof ObjectNode vocabulary)) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' is not a BPE tokenizer; expected one, to name further tokens"
                            .formatted(source.tokenizer()),
                    "Choose a checkpoint with a BPE tokenizer.");
        }
        for (int id = shape.own().vocabulary(); id < shape.larger().vocabulary(); id++) {
            vocabulary.put("<unused %d>".formatted(id), id);
        }
        return root;
    }

    /// A tensor of the larger checkpoint, and the small tensor in its corner.
    private final class Part {
        private final StoredTensor small;
        private final List<Axis> axes;
        private final TensorRule rule;
        private final boolean filled;
        private final boolean excludes;

        /// @param filled   whether the small numbers are in it; otherwise all are zeros
        /// @param excludes whether it is a head too
        Part(StoredTensor small, boolean filled, boolean excludes) {
            this.small = small;
            this.filled = filled;
            rule = TensorRule.of(small.name());
            this.excludes = excludes || rule.marker() == Marker.EXCLUDES;
            axes = new ArrayList<>();
            int rows = (int) (small.elements() / columns());
            if (small.type().isFloat()) {
                TensorRule.axis(rule.rows(), shape, rows).ifPresent(axes::add);
                TensorRule.axis(rule.columns(), shape, columns()).ifPresent(axes::add);
            }
        }

        private int columns() {
            return rule.columns() == Dimension.NONE ? 1 : Math.toIntExact(small.shape().getLast());
        }

        private boolean isNorm() {
            return axes.size() == 1 && small.name().endsWith("norm.weight");
        }

        /// Returns type and shape. Norms are kept in 32 bits, because their factors are not powers of two.
        Blank blank() {
            var sizes = new ArrayList<>(small.shape());
            for (int axis = 0; axis < axes.size(); axis++) {
                sizes.set(sizes.size() - axes.size() + axis, (long) axes.get(axis).size());
            }
            return new Blank(isNorm() ? TensorType.F32 : TensorType.BF16, sizes);
        }

        void fill(MemorySegment data) {
            if (!filled) {
                return;
            }
            var numbers = small.toFloats();
            var to = new Numbers(data, isNorm());
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

        /// Scores are divided by the root of the head size, which is larger now.
        private double factor() {
            if (!isNorm()) {
                return rule.rows() == Dimension.QUERIES ? 1 / shape.headNormFactor() : 1;
            }
            if (rule.rows() == Dimension.HEAD) {
                return small.name().endsWith("k_norm.weight") ? shape.headNormFactor() : 1;
            }
            return shape.normFactor();
        }

        private void markVector(Numbers to) {
            if (rule.marker() == Marker.SET) {
                to.set(shape.marker(), shape.markerValue());
            } else if (rule.marker() == Marker.PASSED) {
                double usual = shape.markerValue() / (USUAL_STREAM * shape.normFactor());
                to.set(shape.marker(), (float) (PASSED_MARKER / usual));
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

    /// Numbers in a file, in 32 or 16 bits.
    private record Numbers(MemorySegment data, boolean wide) {
        void set(long index, float number) {
            if (wide) {
                data.setAtIndex(F32, index, number);
            } else {
                data.setAtIndex(BF16, index, HalfFloats.toBfloat16(number));
            }
        }
    }

    /// Returns all tensors of the larger checkpoint by their names there.
    private SortedMap<String, Part> parts(boolean tied) {
        var parts = new TreeMap<String, Part>();
        boolean ownHead = tensors.names().contains("lm_head.weight");
        if (whole && tied && ownHead) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'%s' has a head of its own, and the head of the shape is its embedding"
                            .formatted(source.path()),
                    "Choose a shape with a head of its own.");
        }
        for (var name : tensors.names()) {
            var small = tensors.tensor(name);
            boolean embedding = name.endsWith("embed_tokens.weight");
            parts.put(renamed(name), new Part(small, true, whole && tied && embedding));
            if (whole && !tied && !ownHead && embedding) {
                var head =
                        new StoredTensor(
                                "lm_head.weight", small.type(), small.shape(), small.data());
                parts.put(head.name(), new Part(head, true, true));
            }
        }
        if (whole) {
            for (int layer = shape.own().layers(); layer < shape.larger().layers(); layer++) {
                addEmptyLayer(layer, parts);
            }
        }
        return parts;
    }

    /// A layer of zeros, which adds nothing.
    private void addEmptyLayer(int layer, SortedMap<String, Part> parts) {
        for (var name : tensors.names()) {
            var matcher = LAYER.matcher(name);
            if (matcher.matches() && matcher.group(1).equals("0")) {
                parts.put(
                        "model.layers.%d.%s".formatted(layer, matcher.group(2)),
                        new Part(tensors.tensor(name), false, false));
            }
        }
    }

    /// Layers of a prediction module are numbered after those of the model.
    private String renamed(String name) {
        var matcher = LAYER.matcher(name);
        if (whole || !matcher.matches() || !config.has("num_nextn_predict_layers")) {
            return name;
        }
        int layer =
                Integer.parseInt(matcher.group(1)) - shape.own().layers() + shape.larger().layers();
        return "model.layers.%d.%s".formatted(layer, matcher.group(2));
    }
}
