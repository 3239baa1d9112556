package dev.outrider.treeverify.pass;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The data sheet of a device, and the expected time of a pass on it.
///
/// The kernels of a pass run one after the other. The time of the kernels of one kind of data is the longer one of two: the time
/// for their bytes and the time for their multiply-adds. Each launch adds its time. [#COPIED], [#MULTIPLIED] and the H100's
/// launch time come from the table of docs/results/performance.md. No other device was measured; for the others they are assumed.
///
/// @param name          its name in commands
/// @param bandwidth     bytes per second of its memory, from the data sheet
/// @param multiplyAdds  32-bit multiply-adds per second, from the data sheet, which counts each as two operations
/// @param launchSeconds additional time of a kernel: its start and its end, the first access to memory
public record DeviceSheet(
        String name, double bandwidth, double multiplyAdds, double launchSeconds) {
    /// Share of the bandwidth that kernels reach: a copy by TornadoVM moved 2.0 of 3.35 TB/s on the H100.
    static final double COPIED = 0.6;

    /// Share of the multiply-adds that projections reach: at 7B on the H100, eight more rows took 7.5 ms; at the rate of the data
    /// sheet they would take 3.0 ms. Projections read rows and weights from the device's caches, and sum over lanes.
    static final double MULTIPLIED = 0.4;

    /// - `h100`: NVIDIA's data sheet of the H100 SXM: 3.35 TB/s, 67 TFLOPS in FP32. Launch: of 2.4 ms at 1.1B and four rows, bytes and
    ///   operations leave 1.2 for 180 kernels.
    /// - `rtx-4090`: NVIDIA's white paper on Ada: 1008 GB/s, 82.6 TFLOPS in FP32. Launch: that of the H100.
    /// - `iris-xe`, the graphics of an Intel Core i7-1185G7: 68.3 GB/s (LPDDR4x-4267, 128 bits); 96 units of 8 lanes at 1.35
    ///   GHz. Launch: three times that of the others, as OpenCL does not record passes.
    private static final List<DeviceSheet> KNOWN =
            List.of(
                    new DeviceSheet("h100", 3350e9, 33.5e12, 7e-6),
                    new DeviceSheet("iris-xe", 68.3e9, 96 * 8 * 1.35e9, 20e-6),
                    new DeviceSheet("rtx-4090", 1008e9, 41.3e12, 7e-6));

    /// The limits of a pass's speed.
    public enum Bound {
        LAUNCHES,
        BANDWIDTH,
        MULTIPLY
    }

    /// The expected seconds of a pass, by bound.
    ///
    /// @param parts seconds by bound
    public record Expectation(Map<Bound, Double> parts) {
        public Expectation {
            parts = Map.copyOf(parts);
        }

        /// Returns the seconds of the pass.
        public double seconds() {
            return parts.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        /// Returns the bound with the most seconds.
        public Bound binds() {
            return parts.entrySet().stream()
                    .max(Comparator.comparingDouble(Map.Entry::getValue))
                    .orElseThrow()
                    .getKey();
        }
    }

    /// Returns all devices, in alphabetical order.
    public static List<DeviceSheet> known() {
        return KNOWN;
    }

    /// Returns the bytes per second of a copy.
    public double copyBandwidth() {
        return bandwidth * COPIED;
    }

    /// Returns the 32-bit multiply-adds per second of a projection.
    public double reachedMultiplyAdds() {
        return multiplyAdds * MULTIPLIED;
    }

    /// Returns the expected time of a pass. The wait for a graph's end counts as a launch.
    public Expectation expect(PassCost cost) {
        double reading = 0;
        double multiplying = 0;
        for (var kernels : cost.kernels()) {
            double read = kernels.bytes() / copyBandwidth();
            double multiplied = kernels.operations() / reachedMultiplyAdds();
            reading += read >= multiplied ? read : 0;
            multiplying += read >= multiplied ? 0 : multiplied;
        }
        return new Expectation(
                Map.of(
                        Bound.LAUNCHES,
                        (cost.launches() + cost.graphs()) * launchSeconds,
                        Bound.BANDWIDTH,
                        reading,
                        Bound.MULTIPLY,
                        multiplying));
    }
}
