package dev.outrider.cli;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.vector.VectorNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What a model takes of the memory in Java's vector code, and the bound of a pass.
///
/// @param kept      how the files have the weights
/// @param bandwidth in bytes a second, if it was measured
record MemoryFacts(ModelConfig model, Precision kept, OptionalDouble bandwidth) {
    private static final double MEGABYTE = 1e6;
    private static final double GIGABYTE = 1e9;
    private static final double MILLIS = 1e3;

    /// A precision.
    ///
    /// @param asInTheFiles whether the files have it
    /// @param bytes        of the weights
    /// @param bytesPerPass of them that a pass reads
    /// @param boundSeconds no pass is faster, if the bandwidth was measured
    record Line(
            String precision,
            boolean asInTheFiles,
            long bytes,
            long bytesPerPass,
            Optional<Double> boundSeconds) {
        String words() {
            return format(
                    "%s: %.1f MB%s%s",
                    precision,
                    bytes / MEGABYTE,
                    boundSeconds
                            .map(seconds -> format(", no pass under %.2f ms", seconds * MILLIS))
                            .orElse(""),
                    asInTheFiles ? " (as in the files)" : "");
        }
    }

    List<Fact> all() {
        var facts = new ArrayList<Fact>();
        long row = VectorNetwork.cacheBytesPerRow(model.decoder());
        long positions = model.decoder().maxPositions();
        facts.add(
                new Fact(
                        "cacheBytesPerToken",
                        row,
                        format(
                                "%.1f kB, %.1f MB for all %d positions",
                                row / 1e3, row * positions / MEGABYTE, positions)));
        long available = NativeMemory.availableBytes();
        facts.add(new Fact("availableBytes", available, format("%.1f GB", available / GIGABYTE)));
        bandwidth.ifPresent(speed ->
                facts.add(
                        new Fact(
                                "bandwidth",
                                speed,
                                format("%.1f GB/s, measured now", speed / GIGABYTE))));
        var choices = new TreeSet<>(List.of(kept, Precision.INT8, Precision.INT4));
        var lines = choices.stream().map(this::line).toList();
        facts.add(
                new Fact(
                        "precisions",
                        lines,
                        lines.stream().map(Line::words).collect(Collectors.joining("\n"))));
        return facts;
    }

    private Line line(Precision precision) {
        long read = ModelBench.bytesPerPass(model.decoder(), precision.bits(), 0, 0);
        return new Line(
                precision.name().toLowerCase(Locale.ROOT),
                precision == kept,
                demand(precision).weights(),
                read,
                bandwidth.isPresent()
                        ? Optional.of(read / bandwidth.getAsDouble())
                        : Optional.empty());
    }

    private DecoderMemory demand(Precision precision) {
        var own = DecoderMemory.of(model.decoder(), precision);
        return model.encoder()
                .map(EncoderConfig::stack)
                .map(encoder -> own.and(DecoderMemory.of(encoder, precision)))
                .orElse(own);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
