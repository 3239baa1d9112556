package dev.outrider.treeverify;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// Times of passes on a device.
///
/// @param request       the request
/// @param device        the device
/// @param parameters    parameters of the shape
/// @param copyBandwidth bytes per second, read and written, of a kernel that copies; the bounds are computed from it
/// @param lines         one per context and number of rows
public record DeviceBenchReport(
        DeviceBenchRequest request,
        DeviceInfo device,
        long parameters,
        double copyBandwidth,
        List<Line> lines) {
    public DeviceBenchReport {
        lines = List.copyOf(lines);
    }

    /// Shapes and numbers of rows to measure on a device.
    ///
    /// @param name     the shape's name in the report
    /// @param shape    the decoder's shape, with positions for the longest context and its rows
    /// @param device   the device's index
    /// @param format   number format of the matrices
    /// @param graphs   whether passes are replayed as CUDA graphs
    /// @param contexts committed rows in the cache, rising
    /// @param rows     numbers of rows per pass
    /// @param passes   timed passes per line
    public record DeviceBenchRequest(
            String name,
            DecoderConfig shape,
            int device,
            WeightFormat format,
            CudaGraphs graphs,
            List<Integer> contexts,
            List<Integer> rows,
            int passes) {
        public DeviceBenchRequest {
            contexts = contexts.stream().sorted().distinct().toList();
            rows = List.copyOf(rows);
            Require.that(
                    !rows.isEmpty() && !contexts.isEmpty() && passes >= 1,
                    "rows %s, contexts %s and passes %d must not be empty",
                    rows,
                    contexts,
                    passes);
            Require.that(
                    Collections.min(rows) >= 1 && contexts.getFirst() >= 1,
                    "rows %s and contexts %s must be positive",
                    rows,
                    contexts);
        }

        /// Returns the rows of the cache that the longest pass needs.
        public int cacheRows() {
            return contexts.getLast() + mostRows();
        }

        /// Returns the maximum rows of a pass.
        public int mostRows() {
            return Collections.max(rows);
        }
    }

    /// Passes of one number of rows at one context.
    ///
    /// @param context       committed rows
    /// @param rows          rows of a pass
    /// @param bestSeconds   best wall time, until the logits of all rows are on the device
    /// @param medianSeconds median wall time
    /// @param kernelSeconds median time in kernels, as the driver reports it
    /// @param bytes         minimum bytes that a pass has to read
    public record Line(
            int context,
            int rows,
            double bestSeconds,
            double medianSeconds,
            double kernelSeconds,
            long bytes) {
        /// Returns the bytes that had to be read, divided by the best time.
        public double bandwidth() {
            return bytes / bestSeconds;
        }

        /// Returns the wall time during which no kernel ran: the host's part and copies.
        public double hostSeconds() {
            return medianSeconds - kernelSeconds;
        }
    }

    /// Returns the report as text for people.
    public String toTable() {
        var table = new StringBuilder();
        table.append(
                format(
                        "%s, %.1f M parameters, %s, %d passes per line%n",
                        request.name(), parameters / 1e6, precision(), request.passes()));
        table.append(
                format(
                        "device %d: %s, %s through %s, %s; a kernel copies %.1f GB/s%n",
                        device.index(),
                        device.name(),
                        device.type(),
                        device.backend(),
                        device.platform(),
                        copyBandwidth / 1e9));
        table.append(graphs());
        table.append(
                "context  rows   best ms   median ms   kernels ms   host ms   t(n)/t(1)     GB/s   of copy\n");
        for (var line : lines) {
            table.append(
                    format(
                            "%7d %5d %9.3f %11.3f %12.3f %9.3f %11.2f %8.1f %8.0f%%%n",
                            line.context(),
                            line.rows(),
                            line.bestSeconds() * 1e3,
                            line.medianSeconds() * 1e3,
                            line.kernelSeconds() * 1e3,
                            line.hostSeconds() * 1e3,
                            line.medianSeconds() / first(line.context()).medianSeconds(),
                            line.bandwidth() / 1e9,
                            100 * line.bandwidth() / copyBandwidth));
        }
        return table.toString();
    }

    /// Returns a line about CUDA graphs. If passes are replayed, no driver reports how long kernels took.
    private String graphs() {
        if (request.graphs().ignoredOn(device)) {
            return "CUDA graphs were asked for; %s has none, so passes are not replayed\n"
                    .formatted(device.backend());
        }
        return request.graphs().replayOn(device)
                ? "passes are replayed as CUDA graphs; what the host saves is in the wall times\n"
                : "";
    }

    private String precision() {
        return request.format().name().toLowerCase(Locale.ROOT);
    }

    private Line first(int context) {
        return lines.stream().filter(line -> line.context() == context).findFirst().orElseThrow();
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), arguments);
    }
}
