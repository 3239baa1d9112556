package dev.outrider.treeverify.model;

import dev.outrider.treeverify.kernels.LayerOffsets;
import dev.outrider.treeverify.kernels.StoredMatrix;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// The arrays of a draft layer's input, in the host's memory; the device has a copy of each.
final class FusionArrays {
    final Optional<StoredMatrix> reduction;
    final Optional<StoredMatrix> join;

    /// [LayerOffsets] of the first layer.
    final IntArray offsets;

    /// Features of a pass, copied to the device before it: `[n, captured * t]`, or `[n, hidden]` of the layer itself.
    final FloatArray features;

    /// The rows with captured states: the pass of the kernels that reduce them, and write a context's keys and values.
    final IntArray captured;

    /// Reduced features, later normed embeddings, `[maxRows, hidden]`.
    final FloatArray reduced;

    /// Embeddings; with a context its normed features, `[maxRows, hidden]`.
    final FloatArray tokens;

    /// Embedding and feature beside each other, `[maxRows, 2 * hidden]`.
    final FloatArray both;

    /// @param weights loads matrices in the shape's forms
    FusionArrays(ProgramShape shape, WeightLoader weights) {
        var form = shape.fusion();
        reduction = form.reduction().map(each -> StoredMatrix.of(each, weights::reduction));
        join = form.join().map(each -> StoredMatrix.of(each, weights::join));
        offsets = LayerOffsets.of(shape, 0);
        int size = shape.maxRows() * shape.config().hiddenSize();
        features = DeviceArrays.zeros(shape.maxRows() * form.featureWidth());
        reduced = DeviceArrays.zeros(size);
        tokens = DeviceArrays.zeros(size);
        both = DeviceArrays.zeros(2 * size);
        captured = new IntArray(PassLayout.size(shape.maxRows(), 0));
        captured.init(0);
    }

    /// Takes the features of the next run.
    void take(PassStaging staging) {
        int count = staging.features().length;
        MemorySegment.copy(
                staging.features(), 0, features.getSegment(), ValueLayout.JAVA_FLOAT, 0, count);
        int[] rows = staging.captured();
        MemorySegment.copy(rows, 0, captured.getSegment(), ValueLayout.JAVA_INT, 0, rows.length);
    }

    /// Returns the arrays that are copied to the device once.
    Object[] resident() {
        var arrays = new ArrayList<>(List.<Object>of(offsets, reduced, tokens, both));
        reduction.ifPresent(each -> arrays.add(each.array()));
        join.ifPresent(each -> arrays.add(each.array()));
        return arrays.toArray();
    }
}
