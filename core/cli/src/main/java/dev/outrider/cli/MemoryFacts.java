package dev.outrider.cli;

import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.NativeMemory;
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
/// @param weights   of the decoder
/// @param bandwidth in bytes a second, if it was measured
record MemoryFacts(ModelConfig model, CheckpointWeights weights, OptionalDouble bandwidth) {
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
        var lines = new ArrayList<Line>();
        if (weights.inBlocks()) {
            lines.add(inBlocks());
        }
        new TreeSet<>(List.of(weights.precision(), Precision.INT8, Precision.INT4))
                .forEach(precision -> lines.add(line(precision)));
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
                precision == weights.precision() && !weights.inBlocks(),
                demand(precision).weights(),
                read,
                bound(read));
    }

    /// Every matrix in the format that the files have it in. A pass reads all of them, but of the embedding no more than some rows.
    private Line inBlocks() {
        var config = model.decoder();
        var blocks = new BlockWeights(weights);
        long bytes = DecoderMemory.of(config, blocks, VectorNetwork::bits).weights();
        double table =
                config.tiedHead()
                        ? 0
                        : blocks.blocks(Weight.EMBEDDING, 0)
                                .map(VectorNetwork::bits)
                                .map(bits ->
                                        bits / Byte.SIZE * Weight.EMBEDDING.elements(config, 0))
                                .orElse(0.0);
        long read = (long) (bytes - table);
        return new Line(blocks.formats(weights.precision()), true, bytes, read, bound(read));
    }

    private Optional<Double> bound(long bytes) {
        return bandwidth.isPresent()
                ? Optional.of(bytes / bandwidth.getAsDouble())
                : Optional.empty();
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
