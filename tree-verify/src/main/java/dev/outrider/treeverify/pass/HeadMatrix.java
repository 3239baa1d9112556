package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import java.lang.foreign.MemorySegment;

/// A matrix of a head without decoder layers, on a device.
public record HeadMatrix(LinearWeights weights, WeightFormat format) {
    /// Returns it in the form that kernels read.
    public DeviceMatrix onDevice() {
        int form = WeightForms.of(format, true).of(Weight.HEAD, 0);
        return new DeviceMatrix(weights.name(), form, weights.rows(), weights.columns());
    }

    /// Writes its floats, or packed levels.
    public void write(MemorySegment to) {
        var floats = MemorySegment.ofArray(weights.numbers());
        if (!format.rounds()) {
            to.copyFrom(floats);
            return;
        }
        var matrix = onDevice();
        QuantizedLayout.pack(
                matrix.name(),
                matrix.form(),
                WeightForms.rounded(format),
                matrix.rows(),
                matrix.size(),
                QuantizedSource.rounded(
                        matrix.name(), format, matrix.form(), floats, matrix.size()),
                to);
    }
}
