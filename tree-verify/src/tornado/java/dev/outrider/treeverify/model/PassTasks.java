package dev.outrider.treeverify.model;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.Projections;
import dev.outrider.treeverify.kernels.RowKernels.Normalisation;
import dev.outrider.treeverify.kernels.StoredMatrix;
import dev.outrider.treeverify.pass.ProgramShape;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Adds the tasks that several parts of a pass have.
final class PassTasks extends GraphTasks {
    final ProgramShape shape;
    final DecoderConfig config;
    final DeviceArrays arrays;

    PassTasks(ProgramShape shape, DeviceArrays arrays) {
        this.shape = shape;
        this.config = shape.config();
        this.arrays = arrays;
    }

    /// Adds the task of a norm of a block's input.
    void read(
            String task, FloatArray from, int fromIndex, int norm, FloatArray to,
            IntArray offsets) {
        norm(
                task, arrays.pass, from, fromIndex, norm, from, LayerOffsets.NONE, to,
                LayerOffsets.START, offsets, config.hiddenSize());
    }

    /// Adds the task of a norm.
    ///
    /// @param pass has the number of rows
    /// @param size width of a row
    void norm(
            String task, IntArray pass, FloatArray from, int fromIndex, int norm,
            FloatArray added, int addedIndex, FloatArray to, int toIndex, IntArray offsets,
            int size) {
        graph.task(
                groups(task, shape.maxRows(), Normalisation.LANES), Normalisation::normalise,
                context, pass, from, fromIndex, arrays.norms, norm, added, addedIndex, to, toIndex,
                offsets, size, (float) config.normEpsilon(), shape.centred() ? 1 : 0);
    }

    /// Returns the factor of results before they are added; 1 if their norms contain it.
    float factor() {
        return shape.normsResults() ? 1 : (float) config.form().scales().residual();
    }

    /// Returns the epsilon of a folded norm, or a negative number, which means that the norm has its own kernel.
    float epsilon(boolean folded) {
        return folded ? (float) config.normEpsilon() : -1;
    }

    /// Adds the task of gate and up, or of up alone; with experts, of all that rows chose.
    ///
    /// @param folded whether the rows' norm is folded
    void gateUp(
            String task, StoredMatrix matrix, int bias, FloatArray from, int fromIndex,
            FloatArray to, IntArray offsets, int inner, int experts, boolean folded) {
        var form = config.form().feedForward();
        graph.task(
                outputs(task, matrix.rows()), form.gated() ? Projections::gateUp : Projections::up,
                context, experts > 0 ? arrays.choices : arrays.pass, matrix.floats(arrays.norms),
                matrix.packed(arrays.pass), matrix.form(), arrays.biases, bias, from, fromIndex, to,
                offsets, matrix.size(), inner, form.activation().ordinal(),
                form.boundedGate().map(each -> (float) each.slope()).orElse(0f),
                form.boundedGate().map(each -> (float) each.limit()).orElse(0f), experts,
                shape.maxRows(), epsilon(folded));
    }

    /// Adds the task of a projection; with experts, of all that rows chose.
    ///
    /// @param pass      has the number of rows, or the choices of experts
    /// @param normIndex of the folded norm of the result, or [LayerOffsets#NONE]
    void project(
            String task, IntArray pass, StoredMatrix matrix, int bias, FloatArray from,
            FloatArray stream, int streamIndex, FloatArray to, int toIndex, int normIndex,
            IntArray offsets, float factor, int experts) {
        // TornadoVM does not end building a graph if a task writes to the same array twice.
        var normed = to == arrays.normed ? arrays.middle : arrays.normed;
        graph.task(
                outputs(task, matrix.rows()), Projections::residual, context, pass,
                matrix.floats(arrays.norms), matrix.packed(arrays.pass), matrix.form(),
                arrays.biases, bias, from, stream, streamIndex, to, toIndex, arrays.norms,
                normIndex, normed, offsets, matrix.size(),
                experts > 0 ? config.hiddenSize() : matrix.rows(), factor, experts);
    }
}
