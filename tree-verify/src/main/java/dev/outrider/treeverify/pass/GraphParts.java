package dev.outrider.treeverify.pass;

import static dev.outrider.nn.network.Weight.CAPTURED_NORM;
import static dev.outrider.nn.network.Weight.EMBEDDING_NORM;
import static dev.outrider.nn.network.Weight.FEATURE_NORM;
import static dev.outrider.nn.network.Weight.JOIN;
import static dev.outrider.nn.network.Weight.REDUCTION;

import dev.outrider.nn.network.FusionConfig.Switch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The number of kernels of a decoder's program, and the division of its layers into task graphs. A graph of TornadoVM 5.2.0 has
/// at most 256 tasks and a description of at most 8192 bytes; the second limit is reached first.
public final class GraphParts {
    /// No limit on the layers of a graph, except the description's size.
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private static final int MAX_TASKS = 256;
    private static final int MAX_BYTES = 8192;

    /// Bytes of a task's description, and of each of its arguments.
    private static final int TASK_BYTES = 15;

    private static final int ARGUMENT_BYTES = 5;

    /// Tasks before the layers (moves of cache rows, embedding) and after them (final norm, head).
    private static final int TASKS_AROUND = 2 + 2;

    private static final int ARGUMENTS_AROUND = 9 + 14 + 14 + 12;

    /// Arguments of a layer's tasks: queries with keys and values, attention, output and down, gate with up.
    private static final int ARGUMENTS_OF_LAYER = 20 + 20 + 2 * 20 + 19;

    /// Arguments of a further task of a layer with experts, at most.
    private static final int ARGUMENTS_OF_ROUTING = 20;

    private static final int ARGUMENTS_OF_NORM = 14;

    private static final int ARGUMENTS_OF_HEAD_NORM = 14;

    /// Arguments of the reduction of attention's chunks.
    private static final int ARGUMENTS_OF_REDUCTION = 10;

    /// Maximum tasks before a draft layer, with their arguments: four norms, two projections, choice and join of halves.
    private static final int TASKS_OF_FUSION = 8;

    private static final int ARGUMENTS_OF_FUSION = 4 * ARGUMENTS_OF_NORM + 2 * 20 + 7 + 8;

    /// Tasks that a wide layer has more, a norm and a join, or for a context keys with values and their norm, with their maximum
    /// arguments.
    private static final int TASKS_OF_WIDE = 2;

    private static final int ARGUMENTS_OF_WIDE = 20 + ARGUMENTS_OF_HEAD_NORM;

    private GraphParts() {}

    /// Returns the number of kernels of a program: one for each task.
    public static int kernels(ProgramShape shape) {
        return TASKS_AROUND
                + fusion(shape)
                + IntStream.range(0, shape.config().layers())
                        .map(layer ->
                                tasksOfLayer(
                                                shape,
                                                shape.keyChunks(layer),
                                                shape.normKernels(layer))
                                        + (shape.fusion().wide(layer) ? TASKS_OF_WIDE : 0)
                                        + (shape.fusion().context() ? normed(shape) + 1 : 0)
                                        - (shape.framed() && !shape.framed(layer) ? 1 : 0))
                        .sum()
                + shape.experts().sparseLayers() * routing(shape);
    }

    /// Returns the number of kernels of a draft layer's input that no layer of a decoder has.
    private static int fusion(ProgramShape shape) {
        var config = shape.config();
        long optional =
                Stream.of(CAPTURED_NORM, REDUCTION, EMBEDDING_NORM, FEATURE_NORM, JOIN, JOIN)
                        .filter(each -> each.present(config))
                        .count();
        return config.fusion()
                .map(each ->
                        (int) optional
                                + (shape.fusion().context() ? 0 : 1)
                                + (each.has(Switch.NORMED_RESIDUAL) ? 1 : 0))
                .orElse(0);
    }

    /// Returns the number of layers of each graph, in order: the fewest graphs that fit, with nearly equal numbers of layers.
    ///
    /// @param mostLayers maximum layers of a graph, at least 1
    public static List<Integer> of(ProgramShape shape, int mostLayers) {
        int parts = Math.ceilDiv(shape.config().layers(), Math.min(mostLayers, fitting(shape)));
        var layers = new ArrayList<Integer>();
        int left = shape.config().layers();
        for (int part = parts; part > 0; part--) {
            int share = Math.ceilDiv(left, part);
            layers.add(share);
            left -= share;
        }
        return List.copyOf(layers);
    }

    /// Returns the maximum layers of one graph, calculated as if each had the maximum number of chunks.
    private static int fitting(ProgramShape shape) {
        int norms =
                IntStream.range(0, shape.config().layers()).map(shape::normKernels).max().orElse(0);
        int tasks = tasksOfLayer(shape, shape.keyChunks(), norms) + routing(shape);
        int arguments =
                ARGUMENTS_OF_LAYER
                        + norms * ARGUMENTS_OF_NORM
                        + (shape.config().queryKeyNorm() ? ARGUMENTS_OF_HEAD_NORM : 0)
                        + (shape.keyChunks() > 1 ? ARGUMENTS_OF_REDUCTION : 0)
                        + routing(shape) * ARGUMENTS_OF_ROUTING;
        int tasksAround = TASKS_AROUND;
        int argumentsAround = ARGUMENTS_AROUND;
        if (shape.config().fusion().isPresent()) {
            tasks += TASKS_OF_WIDE;
            arguments += ARGUMENTS_OF_WIDE;
            tasksAround += TASKS_OF_FUSION;
            argumentsAround += ARGUMENTS_OF_FUSION;
        }
        return Math.min(
                (MAX_TASKS - tasksAround) / tasks,
                (MAX_BYTES - bytes(tasksAround, argumentsAround)) / bytes(tasks, arguments));
    }

    private static int tasksOfLayer(ProgramShape shape, int chunks, int norms) {
        return 5 + norms + normed(shape) + (chunks > 1 ? 1 : 0);
    }

    private static int normed(ProgramShape shape) {
        return shape.config().queryKeyNorm() ? 1 : 0;
    }

    /// Returns the further tasks of a layer with experts: router, choice, lists, sum; and the products of a shared expert.
    private static int routing(ProgramShape shape) {
        return shape.experts().scores() == 0 ? 0 : shape.experts().sharedSize() == 0 ? 4 : 6;
    }

    private static int bytes(int tasks, int arguments) {
        return tasks * TASK_BYTES + arguments * ARGUMENT_BYTES;
    }
}
