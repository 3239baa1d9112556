package dev.outrider.nn.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.TensorRuntime;
import java.util.List;
import java.util.Locale;

/// What [ModelBench] measured.
///
/// @param name            the shape
/// @param type            element type of weights and cache
/// @param threads         threads of one operation
/// @param context         committed rows in the cache
/// @param repeats         timed passes per line
/// @param parameters      parameters of the shape
/// @param bandwidth       bytes per second of the best reading; the bounds are made of it
/// @param medianBandwidth bytes per second of the median reading
/// @param engine          what ran
/// @param lines           one per number of rows
public record BenchReport(
        String name,
        ElementType type,
        int threads,
        int context,
        int repeats,
        long parameters,
        double bandwidth,
        double medianBandwidth,
        TensorRuntime.Info engine,
        List<Line> lines) {
    public BenchReport {
        lines = List.copyOf(lines);
    }

    /// Passes of one number of rows.
    ///
    /// @param rows          rows of a pass
    /// @param bestSeconds   best time
    /// @param medianSeconds median time
    /// @param bytes         bytes a pass has to read
    /// @param boundSeconds  time to read them at the best bandwidth
    public record Line(
            int rows, double bestSeconds, double medianSeconds, long bytes, double boundSeconds) {
        /// Best time as a multiple of the bound.
        public double bestOverBound() {
            return bestSeconds / boundSeconds;
        }

        /// Median time as a multiple of the bound.
        public double medianOverBound() {
            return medianSeconds / boundSeconds;
        }
    }

    /// The report as text for people.
    public String toTable() {
        var table = new StringBuilder();
        table.append(
                format(
                        "%s, %.1f M parameters, %s, %d threads, context %d, %d passes per line%n",
                        name,
                        parameters / 1e6,
                        type.name().toLowerCase(Locale.ROOT),
                        threads,
                        context,
                        repeats));
        table.append(
                format(
                        "%s; memory is read at %.1f GB/s (median %.1f)%n",
                        engine.name(), bandwidth / 1e9, medianBandwidth / 1e9));
        table.append(
                "rows   best ms   median ms   bound ms   best/bound   median/bound   t(n)/t(1)   passes/s\n");
        for (var line : lines) {
            table.append(
                    format(
                            "%4d %9.2f %11.2f %10.2f %12.2f %14.2f %11.2f %10.1f%n",
                            line.rows(),
                            line.bestSeconds() * 1e3,
                            line.medianSeconds() * 1e3,
                            line.boundSeconds() * 1e3,
                            line.bestOverBound(),
                            line.medianOverBound(),
                            line.medianSeconds() / lines.getFirst().medianSeconds(),
                            1 / line.medianSeconds()));
        }
        return table.toString();
    }

    /// The report as a JSON object.
    public String toJson() {
        var mapper = JsonMapper.builder().build();
        ObjectNode root = mapper.createObjectNode();
        root.put("shape", name);
        root.put("parameters", parameters);
        root.put("precision", type.name().toLowerCase(Locale.ROOT));
        root.put("threads", threads);
        root.put("context", context);
        root.put("passesPerLine", repeats);
        root.put("engine", engine.name());
        root.put("prepackedF32", engine.prepackedLinear());
        root.put("prepackedBf16", engine.prepackedBfloat16());
        root.put("bandwidthBytesPerSecond", bandwidth);
        root.put("medianBandwidthBytesPerSecond", medianBandwidth);
        var array = root.putArray("passes");
        for (var line : lines) {
            array.addObject()
                    .put("rows", line.rows())
                    .put("bestSeconds", line.bestSeconds())
                    .put("medianSeconds", line.medianSeconds())
                    .put("bytes", line.bytes())
                    .put("boundSeconds", line.boundSeconds())
                    .put("bestOverBound", line.bestOverBound())
                    .put("medianOverBound", line.medianOverBound());
        }
        return root.toPrettyString();
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), arguments);
    }
}
