package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.Zeros;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.Layer.CrossLayer;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.nn.vector.Mixture.SharedExpert;
import dev.outrider.nn.vector.PositionTable.RelativeBias;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Reads a stack's weights into matrices. Norms and biases are stored in 32 bits.
///
/// @param precision number format of matrices
/// @param rows      number format of the rows that matrices of integers multiply
/// @param arena     owner of the matrices
/// @param rounding  whether a matrix that multiplies rows in eight bits was created
record Weights(
        DecoderConfig config,
        WeightSource source,
        Precision precision,
        RowPrecision rows,
        Arena arena,
        AtomicBoolean rounding) {
    Weights(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            RowPrecision rows,
            Arena arena) {
        this(config, source, precision, rows, arena, new AtomicBoolean());
    }

    /// Returns all layers, which are read on all processors. If one cannot be read, no others are started. The method waits for
    /// the running ones, because they write into the same memory, and throws the first failure.
    List<Layer> layers() {
        var tasks =
                IntStream.range(0, config.layers())
                        .mapToObj(layer -> new FutureTask<>(() -> layer(layer)))
                        .toList();
        var failed = new AtomicBoolean();
        tasks.parallelStream()
                .filter(_ -> !failed.get())
                .forEach(task -> {
                    task.run();
                    if (task.state() == Future.State.FAILED) {
                        failed.set(true);
                    }
                });
        tasks.stream()
                .filter(task -> task.state() == Future.State.FAILED)
                .map(FutureTask::exceptionNow)
                .findFirst()
                .ifPresent(Weights::fail);
        return tasks.stream().map(FutureTask::resultNow).toList();
    }

    private static void fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw failure instanceof RuntimeException problem
                ? problem
                : new IllegalStateException(failure);
    }

    private Layer layer(int layer) {
        return new Layer(
                norm(Weight.INPUT_NORM, Weight.INPUT_NORM_BIAS, layer),
                vector(Weight.STREAM_NORM, layer).map(weight -> norm(weight, Optional.empty())),
                linear(
                        layer,
                        List.of(Weight.QUERY, Weight.KEY, Weight.VALUE),
                        List.of(Weight.QUERY_BIAS, Weight.KEY_BIAS, Weight.VALUE_BIAS)),
                vector(Weight.QUERY_NORM, layer),
                vector(Weight.KEY_NORM, layer),
                vector(Weight.SINKS, layer),
                linear(layer, List.of(Weight.OUTPUT), List.of(Weight.OUTPUT_BIAS)),
                vector(Weight.OUTPUT_NORM, layer).map(weight -> norm(weight, Optional.empty())),
                config.crosses() ? Optional.of(cross(layer)) : Optional.empty(),
                norm(Weight.FEED_FORWARD_NORM, Weight.FEED_FORWARD_NORM_BIAS, layer),
                config.sparse(layer) ? Optional.empty() : Optional.of(feedForward(layer)),
                config.sparse(layer) ? Optional.of(mixture(layer)) : Optional.empty(),
                vector(Weight.DOWN_NORM, layer).map(weight -> norm(weight, Optional.empty())));
    }

    /// Returns only the projections to keys and values, for a layer whose context has no queries.
    Linear keysAndValues(int layer) {
        return linear(
                layer,
                List.of(Weight.KEY, Weight.VALUE),
                List.of(Weight.KEY_BIAS, Weight.VALUE_BIAS));
    }

    private FeedForward feedForward(int layer) {
        return new FeedForward(
                config.form().feedForward().gated()
                        ? linear(
                                layer,
                                List.of(Weight.GATE, Weight.UP),
                                List.of(Weight.GATE_BIAS, Weight.UP_BIAS))
                        : linear(layer, List.of(Weight.UP), List.of(Weight.UP_BIAS)),
                linear(layer, List.of(Weight.DOWN), List.of(Weight.DOWN_BIAS)));
    }

    private Mixture mixture(int layer) {
        int first = Weight.EXPERT_GATE.first(config, layer);
        int end = Weight.EXPERT_GATE.first(config, layer + 1);
        var experts = new ArrayList<FeedForward>();
        for (int expert = first; expert < end; expert++) {
            experts.add(
                    new FeedForward(
                            linear(
                                    expert,
                                    List.of(Weight.EXPERT_GATE, Weight.EXPERT_UP),
                                    List.of(Weight.EXPERT_GATE_BIAS, Weight.EXPERT_UP_BIAS)),
                            linear(
                                    expert,
                                    List.of(Weight.EXPERT_DOWN),
                                    List.of(Weight.EXPERT_DOWN_BIAS))));
        }
        return new Mixture(
                config.form(),
                whole(layer, Weight.ROUTER, vector(Weight.ROUTER_BIAS, layer)),
                List.copyOf(experts),
                Weight.SHARED_GATE.present(config, layer)
                        ? Optional.of(sharedExpert(layer))
                        : Optional.empty());
    }

    private SharedExpert sharedExpert(int layer) {
        return new SharedExpert(
                new FeedForward(
                        unbiased(layer, Weight.SHARED_GATE, Weight.SHARED_UP),
                        unbiased(layer, Weight.SHARED_DOWN)),
                whole(layer, Weight.SHARED_EXPERT_GATE, Optional.empty()));
    }

    private Linear unbiased(int layer, Weight... matrices) {
        return new Linear(matrix(layer, List.of(matrices), precision, rows), Optional.empty());
    }

    /// Returns a matrix without rounding of its numbers or of the rows that it multiplies, because rounding would change the
    /// choice of experts.
    private Linear whole(int layer, Weight weight, Optional<float[]> bias) {
        return new Linear(matrix(layer, List.of(weight), Precision.F32, RowPrecision.F32), bias);
    }

    private CrossLayer cross(int layer) {
        return new CrossLayer(
                norm(Weight.CROSS_NORM, Weight.CROSS_NORM_BIAS, layer).orElseThrow(),
                linear(layer, List.of(Weight.CROSS_QUERY), List.of(Weight.CROSS_QUERY_BIAS)),
                linear(
                        layer,
                        List.of(Weight.CROSS_KEY, Weight.CROSS_VALUE),
                        List.of(Weight.CROSS_KEY_BIAS, Weight.CROSS_VALUE_BIAS)),
                linear(layer, List.of(Weight.CROSS_OUTPUT), List.of(Weight.CROSS_OUTPUT_BIAS)));
    }

    /// Returns a norm, if the layer has it.
    Optional<Norm> norm(Weight weight, Weight bias, int layer) {
        return vector(weight, layer).map(numbers -> norm(numbers, vector(bias, layer)));
    }

    /// Returns the bias of the scores by distance, if the positions are relative.
    Optional<RelativeBias> relativeBias() {
        return config.form().positions() instanceof Positions.Relative positions
                ? vector(Weight.RELATIVE_BIAS, 0)
                        .map(numbers ->
                                RelativeBias.of(
                                        positions,
                                        numbers,
                                        config.heads(),
                                        Math.min(positions.maxDistance(), config.maxPositions()),
                                        config.part() == Part.ENCODER))
                : Optional.empty();
    }

    private Norm norm(float[] weight, Optional<float[]> bias) {
        return new Norm(config.form().norms().kind(), weight, bias, config.normEpsilon());
    }

    /// Returns a projection outside the layers, if the decoder has it.
    Optional<Linear> linear(Weight matrix, Weight bias) {
        return matrix.present(config)
                ? Optional.of(linear(0, List.of(matrix), List.of(bias)))
                : Optional.empty();
    }

    /// Returns a matrix outside the layers, if the decoder has it.
    Optional<Matrix> matrix(Weight matrix) {
        return matrix.present(config)
                ? Optional.of(matrix(0, List.of(matrix), precision, rows))
                : Optional.empty();
    }

    /// Returns a table whose rows are only looked up. It is not quantised, because this would save little and lose exactness.
    Optional<Matrix> table(Weight matrix) {
        var kept =
                switch (precision) {
                    case F32, BF16, F16 -> precision;
                    case INT8, INT4, W8A8 -> Precision.BF16;
                };
        return matrix.present(config)
                ? Optional.of(loaded(0, List.of(matrix), kept, rows))
                : Optional.empty();
    }

    /// Returns a norm or a bias, if the layer has it.
    Optional<float[]> vector(Weight weight, int layer) {
        if (!weight.present(config, layer)) {
            return Optional.empty();
        }
        var numbers = new float[Math.toIntExact(weight.elements(config, layer))];
        source.read(
                weight,
                layer,
                memory ->
                        MemorySegment.copy(
                                memory, ValueLayout.JAVA_FLOAT, 0, numbers, 0, numbers.length));
        var what = "%s of layer %d".formatted(weight, layer);
        Precision.F32.requireRoom(MemorySegment.ofArray(numbers), what);
        boolean zeroCentred =
                config.form().norms().zeroCentred()
                        || config.fusion()
                                .filter(each -> each.has(FusionConfig.Switch.ZERO_CENTRED_NORMS))
                                .isPresent();
        if (weight.norm() && zeroCentred) {
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] += 1;
            }
        }
        return Optional.of(numbers);
    }

    private Linear linear(int layer, List<Weight> matrices, List<Weight> biases) {
        var matrix = matrix(layer, matrices, precision, rows);
        if (biases.stream().noneMatch(bias -> bias.present(config, layer))) {
            return new Linear(matrix, Optional.empty());
        }
        var all = new float[matrix.outputs()];
        int at = 0;
        for (int index = 0; index < matrices.size(); index++) {
            int from = at;
            vector(biases.get(index), layer)
                    .ifPresent(bias -> System.arraycopy(bias, 0, all, from, bias.length));
            at += (int) matrices.get(index).shape(config, layer)[0];
        }
        return new Linear(matrix, Optional.of(all));
    }

    private Matrix matrix(int layer, List<Weight> matrices, Precision kept, RowPrecision rows) {
        var result = loaded(layer, matrices, kept, rows);
        if (result instanceof IntegerPanels) {
            rounding.set(true);
        }
        return result;
    }

    private Matrix loaded(int layer, List<Weight> matrices, Precision kept, RowPrecision rows) {
        int outputs = 0;
        int columns = 0;
        for (var matrix : matrices) {
            long[] shape = matrix.shape(config, layer);
            outputs = Math.addExact(outputs, Math.toIntExact(shape[0]));
            columns = Math.toIntExact(shape[1]);
        }
        var blocks =
                matrices.stream()
                        .flatMap(each -> source.stored(each, layer, kept).stream())
                        .toList();
        if (blocks.size() == matrices.size()) {
            return taken(blocks, outputs, columns, rows);
        }
        var result = Matrix.of(kept, rows, outputs, columns, arena);
        int first = 0;
        for (var matrix : matrices) {
            fill(result, first, matrix, layer, kept);
            first += (int) matrix.shape(config, layer)[0];
        }
        return result;
    }

    /// Stores the outputs of a weight, in the format of its file or as numbers.
    private void fill(Matrix result, int first, Weight weight, int layer, Precision kept) {
        var stored = source.stored(weight, layer, kept);
        if (stored.isPresent()) {
            result.fill(first, stored.get());
            return;
        }
        var what = "%s of layer %d".formatted(weight, layer);
        var read = new AtomicInteger();
        source.readRows(
                weight,
                layer,
                rows -> {
                    int row =
                            read.getAndAdd(
                                    (int)
                                            (rows.byteSize()
                                                    / ((long) result.columns() * Float.BYTES)));
                    if (result.zeroed() && Zeros.in(rows)) {
                        return;
                    }
                    kept.requireRoom(rows, (long) row * result.columns(), what);
                    result.fill(first + row, rows);
                });
    }

    /// Returns a matrix whose panels have the file's format. If the outputs of a panel have several formats, they are stored as
    /// numbers.
    private Matrix taken(
            List<? extends FileMatrix> blocks, int outputs, int columns, RowPrecision rows) {
        var own =
                blocks.stream()
                        .map(matrix -> PanelFormat.of(matrix).orElseThrow(() -> unkept(matrix)))
                        .toList();
        boolean integers = own.stream().allMatch(each -> each.forIntegers().isPresent());
        return filled(
                rows == RowPrecision.INT8 && integers
                        ? new IntegerPanels(
                                own,
                                blocks.stream().map(each -> Math.toIntExact(each.rows())).toList(),
                                columns,
                                arena)
                        : new Panels(formats(own, blocks, outputs), outputs, columns, arena),
                blocks);
    }

    private static List<PanelFormat> formats(
            List<PanelFormat> own, List<? extends FileMatrix> blocks, int outputs) {
        var formats = new PanelFormat[Math.ceilDiv(outputs, Lanes.PANEL)];
        int first = 0;
        for (int part = 0; part < own.size(); part++) {
            var format = own.get(part);
            int end = Math.addExact(first, Math.toIntExact(blocks.get(part).rows()));
            for (int panel = first / Lanes.PANEL; panel * Lanes.PANEL < end; panel++) {
                boolean alone = formats[panel] == null || formats[panel] == format;
                formats[panel] = alone ? format : PanelFormat.F32;
            }
            first = end;
        }
        return List.of(formats);
    }

    private static Matrix filled(Matrix result, List<? extends FileMatrix> blocks) {
        int at = 0;
        for (var matrix : blocks) {
            result.fill(at, matrix);
            at += (int) matrix.rows();
        }
        return result;
    }

    static OutriderException unkept(FileMatrix matrix) {
        var type = matrix instanceof BlockMatrix blocks ? blocks.type().name() : matrix.toString();
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "a matrix is stored as %s, which the back end 'vector' does not multiply as it is"
                        .formatted(type),
                "Set 'precision', or take another file of the model, such as Q8_0 or Q4_K_M.");
    }
}
