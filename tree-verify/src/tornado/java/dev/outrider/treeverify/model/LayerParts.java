package dev.outrider.treeverify.model;

import dev.outrider.treeverify.pass.ProgramShape;
import java.util.ArrayList;
import java.util.List;

/// How a decoder's layers are spread over task graphs. TornadoVM 5.2.0 takes 256 tasks into a graph, and 8192 bytes of
/// its description, which are full long before.
final class LayerParts {
    /// Layers of a graph, whatever fits.
    static final int NO_LIMIT = Integer.MAX_VALUE;

    private static final int MAX_TASKS = 256;
    private static final int MAX_BYTES = 8192;

    /// Bytes of a task, and of each of its arguments.
    private static final int TASK_BYTES = 15;

    private static final int ARGUMENT_BYTES = 5;

    /// Moves of cache rows, embedding; final norm, head.
    private static final int TASKS_AROUND = 2 + 2;

    private static final int ARGUMENTS_AROUND = 9 + 8 + 9 + 10;

    /// Two norms, queries with keys and values, attention, output and down, gate with up.
    private static final int ARGUMENTS_OF_LAYER = 2 * 9 + 20 + 19 + 2 * 14 + 11;

    private static final int ARGUMENTS_OF_HEAD_NORM = 14;

    /// Reduction of attention's chunks.
    private static final int ARGUMENTS_OF_REDUCTION = 10;

    private LayerParts() {}

    /// Tasks of one layer; a layer with a short window may have one less.
    private static int tasksOfLayer(ProgramShape shape) {
        return 7 + (normsHeads(shape) ? 1 : 0) + (reducesChunks(shape) ? 1 : 0);
    }

    private static int bytesOfLayer(ProgramShape shape) {
        int arguments =
                ARGUMENTS_OF_LAYER
                        + (normsHeads(shape) ? ARGUMENTS_OF_HEAD_NORM : 0)
                        + (reducesChunks(shape) ? ARGUMENTS_OF_REDUCTION : 0);
        return bytes(tasksOfLayer(shape), arguments);
    }

    private static boolean normsHeads(ProgramShape shape) {
        return shape.config().queryKeyNorm();
    }

    private static boolean reducesChunks(ProgramShape shape) {
        return shape.keyChunks() > 1;
    }

    private static int bytes(int tasks, int arguments) {
        return tasks * TASK_BYTES + arguments * ARGUMENT_BYTES;
    }

    /// Tasks of a decoder.
    static int tasks(ProgramShape shape) {
        return shape.config().layers() * tasksOfLayer(shape) + TASKS_AROUND;
    }

    /// Most layers of one graph.
    static int fitting(ProgramShape shape) {
        return Math.min(
                (MAX_TASKS - TASKS_AROUND) / tasksOfLayer(shape),
                (MAX_BYTES - bytes(TASKS_AROUND, ARGUMENTS_AROUND)) / bytesOfLayer(shape));
    }

    /// Layers of each graph, in order: as few graphs as can be, of nearly the same number of layers.
    ///
    /// @param mostLayers most layers of a graph, at least 1
    static List<Integer> of(ProgramShape shape, int mostLayers) {
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
}
