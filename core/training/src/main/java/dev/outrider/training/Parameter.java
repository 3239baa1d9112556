package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.torch.TorchDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One trained array and its tensors in a finished checkpoint. Matrices that are multiplied together may be trained as
/// one; the checkpoint then has separate ones.
///
/// @param shape   its sizes; a vector (norm, bias) is not decayed by AdamW, a matrix is
/// @param parts   its tensors in a finished checkpoint, stacked along its first dimension
/// @param initial its values before the first step
public record Parameter(long[] shape, List<Part> parts, Initial initial) {
    public Parameter {
        shape = shape.clone();
        parts = List.copyOf(parts);
        long rows = parts.stream().mapToLong(Part::rows).sum();
        Require.that(
                rows == shape[0],
                "parts %s have %d rows, shape %s has %d",
                parts,
                rows,
                Arrays.toString(shape),
                shape[0]);
        if (initial instanceof Initial.Given(var values) && values.length != size(shape)) {
            throw new IllegalArgumentException(
                    "%d values for shape %s".formatted(values.length, Arrays.toString(shape)));
        }
    }

    /// A tensor of a finished checkpoint.
    ///
    /// @param name its name there
    /// @param rows its first dimension
    public record Part(String name, int rows) {}

    /// Values before the first step.
    public sealed interface Initial {
        /// The same value for all elements.
        record Constant(float value) implements Initial {}

        /// Normal deviates around zero, drawn from the run's seed.
        record Normal(double deviation) implements Initial {}

        /// Given values, such as those of the target's own head; row-major.
        record Given(float[] values) implements Initial {}
    }

    /// A parameter that is one tensor of the checkpoint.
    public static Parameter of(String name, Initial initial, long... shape) {
        return new Parameter(shape, List.of(new Part(name, Math.toIntExact(shape[0]))), initial);
    }

    /// A parameter of a program, with the names of its parts in a checkpoint. Norms begin with 1, matrices with normal deviates.
    static Parameter of(
            DecoderConfig config, WeightNaming names, TorchDecoder.Slot slot, double deviation) {
        var parts = new ArrayList<Part>();
        for (int i = 0; i < slot.weights().size(); i++) {
            var weight = slot.weights().get(i);
            int number = slot.numbers().get(i);
            int rows = Math.toIntExact(weight.shape(config, number)[0]);
            parts.add(new Part(names.names(weight, number).getFirst(), rows));
        }
        var first = slot.weights().getFirst();
        long[] shape = first.shape(config, slot.numbers().getFirst());
        return first.norm()
                ? new Parameter(shape, parts, new Initial.Constant(1))
                : matrix(Math.toIntExact(shape[1]), deviation, parts.toArray(Part[]::new));
    }

    /// A matrix of normal deviates, with parts of this many columns.
    public static Parameter matrix(int columns, double deviation, Part... parts) {
        int rows = Arrays.stream(parts).mapToInt(Part::rows).sum();
        return new Parameter(
                new long[] {rows, columns}, List.of(parts), new Initial.Normal(deviation));
    }

    /// Whether AdamW decays it: matrices yes, norms and biases no.
    public boolean decays() {
        return shape.length > 1;
    }

    /// Returns the number of elements.
    public int size() {
        return size(shape);
    }

    private static int size(long[] shape) {
        int size = 1;
        for (long dimension : shape) {
            size = Math.multiplyExact(size, Math.toIntExact(dimension));
        }
        return size;
    }

    @Override
    public String toString() {
        return "Parameter[shape=%s, parts=%s]".formatted(Arrays.toString(shape), parts);
    }
}
