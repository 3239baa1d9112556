package dev.outrider.cli;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.vector.VectorNetwork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
                        lines.stream().map(MemoryFacts::words).collect(Collectors.joining("\n"))));
        return facts;
    }

    private Map<String, Object> line(Precision precision) {
        var line = new LinkedHashMap<String, Object>();
        line.put("precision", precision.name().toLowerCase(Locale.ROOT));
        line.put("asInTheFiles", precision == kept);
        line.put("bytes", demand(precision).weights());
        long read = ModelBench.bytesPerPass(model.decoder(), precision.bits(), 0, 0);
        line.put("bytesPerPass", read);
        bandwidth.ifPresent(speed -> line.put("boundSeconds", read / speed));
        return line;
    }

    private DecoderMemory demand(Precision precision) {
        var own = DecoderMemory.of(model.decoder(), precision);
        return model.encoder()
                .map(EncoderConfig::stack)
                .map(encoder -> own.and(DecoderMemory.of(encoder, precision)))
                .orElse(own);
    }

    private static String words(Map<String, Object> line) {
        var bound =
                line.get("boundSeconds") instanceof Double seconds
                        ? format(", no pass under %.2f ms", seconds * MILLIS)
                        : "";
        return format(
                "%s: %.1f MB%s%s",
                line.get("precision"),
                ((Long) line.get("bytes")) / MEGABYTE,
                bound,
                Boolean.TRUE.equals(line.get("asInTheFiles")) ? " (as in the files)" : "");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
