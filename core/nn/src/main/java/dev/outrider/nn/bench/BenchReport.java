package dev.outrider.nn.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// The result of a run of [ModelBench].
///
/// @param name            the shape, or the checkpoint
/// @param precision       number format of matrices
/// @param threads         threads of one operation
/// @param context         committed rows in the cache, of the last sequence if there are several
/// @param sequences       number of sequences in a pass
/// @param repeats         timed passes per line
/// @param parameters      parameters of the shape
/// @param machine         its limits, measured in the same run
/// @param engine          name of the engine
/// @param lines           one per number of rows
/// @param prefill         time of a prompt; empty if none was read
public record BenchReport(
        String name,
        String precision,
        int threads,
        int context,
        int sequences,
        int repeats,
        long parameters,
        Machine machine,
        String engine,
        List<Line> lines,
        Optional<Prefill> prefill) {
    public BenchReport {
        lines = List.copyOf(lines);
    }

    /// The limits of the machine.
    ///
    /// @param bandwidth       bytes per second of the best reading, which the bounds are computed from
    /// @param medianBandwidth bytes per second of the median reading
    /// @param operations      multiplications and additions a second, of 32-bit floats
    public record Machine(double bandwidth, double medianBandwidth, double operations) {}

    /// The reading of a prompt into an empty cache, in passes as decoding reads it, without logits.
    ///
    /// @param tokens        length of the prompt
    /// @param bestSeconds   best time
    /// @param medianSeconds median time
    public record Prefill(int tokens, double bestSeconds, double medianSeconds) {}

    /// Passes of one number of rows.
    ///
    /// @param rows          rows of a pass
    /// @param bestSeconds   best time
    /// @param medianSeconds median time
    /// @param bytes         bytes that a pass has to read
    /// @param readSeconds   time to read them at the best bandwidth
    /// @param multiplySeconds time to multiply and add floats at the best speed; 0 if integers are multiplied
    /// @param activeExperts  different experts that a pass activated, the mean over layers that have any
    public record Line(
            int rows,
            double bestSeconds,
            double medianSeconds,
            long bytes,
            double readSeconds,
            double multiplySeconds,
            OptionalDouble activeExperts) {
        /// Returns the lower bound of a pass's time. An engine with instructions for 16-bit numbers can be faster than the second
        /// part.
        public double boundSeconds() {
            return Math.max(readSeconds, multiplySeconds);
        }

        /// Returns the best time as a multiple of the bound.
        public double bestOverBound() {
            return bestSeconds / boundSeconds();
        }

        /// Returns the median time as a multiple of the bound.
        public double medianOverBound() {
            return medianSeconds / boundSeconds();
        }
    }

    /// Returns the report as a table.
    public String toTable() {
        var table = new StringBuilder();
        table.append(
                format(
                        "%s, %.1f M parameters, %s, %d threads, %s, %d passes per line%n",
                        name, parameters / 1e6, precision, threads, contexts(), repeats));
        table.append(
                format(
                        "%s; memory is read at %.1f GB/s (median %.1f), floats are multiplied and added at %.0f GFLOP/s%n",
                        engine,
                        machine.bandwidth() / 1e9,
                        machine.medianBandwidth() / 1e9,
                        machine.operations() / 1e9));
        table.append(
                "rows   best ms   median ms    read ms   multiply ms   best/bound   median/bound   t(n)/t(1)   passes/s");
        boolean sparse = lines.stream().allMatch(line -> line.activeExperts().isPresent());
        table.append(sparse ? "   experts\n" : "\n");
        for (var line : lines) {
            table.append(
                    format(
                            "%4d %9.2f %11.2f %10.2f %13.2f %12.2f %14.2f %11.2f %10.1f%s%n",
                            line.rows(),
                            line.bestSeconds() * 1e3,
                            line.medianSeconds() * 1e3,
                            line.readSeconds() * 1e3,
                            line.multiplySeconds() * 1e3,
                            line.bestOverBound(),
                            line.medianOverBound(),
                            line.medianSeconds() / lines.getFirst().medianSeconds(),
                            1 / line.medianSeconds(),
                            sparse ? format("%10.2f", line.activeExperts().getAsDouble()) : ""));
        }
        prefill.ifPresent(prompt ->
                table.append(
                        format(
                                "prefill of %d tokens: best %.3f s, median %.3f s%n",
                                prompt.tokens(), prompt.bestSeconds(), prompt.medianSeconds())));
        return table.toString();
    }

    private String contexts() {
        return sequences == 1
                ? "context %d".formatted(context)
                : "%d sequences with contexts up to %d, rows of each".formatted(sequences, context);
    }

    /// Returns the report as a JSON object.
    public String toJson() {
        var mapper = JsonMapper.builder().build();
        ObjectNode root = mapper.createObjectNode();
        root.put("shape", name);
        root.put("parameters", parameters);
        root.put("precision", precision);
        root.put("threads", threads);
        root.put("context", context);
        root.put("sequences", sequences);
        root.put("passesPerLine", repeats);
        root.put("engine", engine);
        root.put("bandwidthBytesPerSecond", machine.bandwidth());
        root.put("medianBandwidthBytesPerSecond", machine.medianBandwidth());
        root.put("operationsPerSecond", machine.operations());
        var array = root.putArray("passes");
        for (var line : lines) {
            var pass = array.addObject();
            line.activeExperts().ifPresent(woken -> pass.put("activeExperts", woken));
            pass.put("rows", line.rows())
                    .put("bestSeconds", line.bestSeconds())
                    .put("medianSeconds", line.medianSeconds())
                    .put("bytes", line.bytes())
                    .put("readSeconds", line.readSeconds())
                    .put("multiplySeconds", line.multiplySeconds())
                    .put("boundSeconds", line.boundSeconds())
                    .put("bestOverBound", line.bestOverBound())
                    .put("medianOverBound", line.medianOverBound());
        }
        prefill.ifPresent(prompt ->
                root.putObject("prefill")
                        .put("tokens", prompt.tokens())
                        .put("bestSeconds", prompt.bestSeconds())
                        .put("medianSeconds", prompt.medianSeconds()));
        return root.toPrettyString();
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), arguments);
    }
}
