package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// The memory of a loaded decoder, computed before anything is loaded. The weights must exist in a checkpoint: their number is not
/// bounded here.
///
/// @param weights native bytes of the weights, and of the 32-bit copies that exist while they are read
/// @param heap    bytes of the Java heap on which these tables are computed
public record DecoderMemory(long weights, long heap) {
    /// Cosines and sines.
    private static final int TABLES = 2;

    /// Returns the memory of a decoder whose weights are read one after another, each as a whole, and then stored as Java's vector
    /// code does.
    public static DecoderMemory of(DecoderConfig config, Precision precision) {
        long most = 0;
        for (var weight : Weight.values()) {
            if (weight.present(config)) {
                most = Math.max(most, weight.elements(config, 0));
            }
        }
        return of(config, precision, Math.multiplyExact(most, Float.BYTES));
    }

    /// Returns the memory of a decoder in Java's vector code, which stores a tied head once, except for rows in eight bits, and has
    /// its tables on the heap.
    public static DecoderMemory of(DecoderConfig config, WeightSource source, Precision precision) {
        // All processors read layers.
        int readers = Math.min(config.layers(), Runtime.getRuntime().availableProcessors());
        long most = 0;
        for (var weight : Weight.values()) {
            int copies = weight.copies(config);
            for (int number = 0; number < copies; number++) {
                if (weight.present(config, number)
                        && source.stored(weight, number, precision).isEmpty()) {
                    long bytes = source.readingBytes(config, weight, number);
                    most =
                            Math.max(
                                    most,
                                    weight.perLayer() ? Math.multiplyExact(bytes, readers) : bytes);
                }
            }
        }
        return of(config, precision, most);
    }

    private static DecoderMemory of(DecoderConfig config, Precision precision, long reading) {
        double bits = Weight.parameters(config) * precision.bits();
        if (Weight.EMBEDDING.present(config)) {
            double kept = Math.max(precision.bits(), Precision.BF16.bits());
            double table = Weight.EMBEDDING.elements(config, 0);
            if (!config.tiedHead()) {
                bits += table * (kept - precision.bits());
            } else if (precision == Precision.W8A8) {
                bits += table * kept;
            }
        }
        long bytes = Math.addExact((long) (bits / Byte.SIZE), reading);
        return new DecoderMemory(bytes, tables(config) * Float.BYTES);
    }

    /// Returns the memory of a decoder in Java's vector code whose matrices stay in the format of the file.
    ///
    /// @param bits of a number in that format
    public static DecoderMemory of(
            DecoderConfig config, BlockWeights source, ToDoubleFunction<FileMatrix> bits) {
        double sum = 0;
        for (var weight : Weight.values()) {
            int copies = weight.copies(config);
            for (int number = 0; number < copies; number++) {
                if (!weight.present(config, number)) {
                    continue;
                }
                boolean matrix = weight.linear() || weight == Weight.EMBEDDING;
                sum +=
                        weight.elements(config, number)
                                * (matrix
                                        ? bits.applyAsDouble(
                                                source.stored(weight, number, Precision.F32)
                                                        .orElseThrow())
                                        : Float.SIZE);
            }
        }
        return new DecoderMemory((long) (sum / Byte.SIZE), tables(config) * Float.BYTES);
    }

    /// Returns how many numbers are computed for positions.
    private static long tables(DecoderConfig config) {
        long positions = config.maxPositions();
        return switch (config.form().positions()) {
            case Positions.Rotary() ->
                    positions
                            * config.rotarySize()
                            * (config.localRopeTheta().isPresent() ? TABLES : 1);
            case Positions.Learned _ -> 0;
            case Positions.Sinusoidal() -> positions * config.hiddenSize();
            case Positions.Relative(_, int distance) ->
                    2 * Math.min(positions, distance) * config.heads();
        };
    }

    /// Returns the memory that two stacks of a model need together.
    public DecoderMemory and(DecoderMemory other) {
        return new DecoderMemory(
                Math.addExact(weights, other.weights), Math.addExact(heap, other.heap));
    }

    /// Checks the demand before anything is allocated.
    ///
    /// @param owner     the owner of the decoder, such as `target 'demo'`
    /// @param positions number of positions of the tables
    /// @param available native bytes that are still available
    /// @throws OutriderException `OUT_OF_MEMORY`
    public void require(String owner, int positions, long available) {
        require(owner, positions, available, Optional::empty);
    }

    /// Checks the demand, with a remedy for the error.
    ///
    /// @param remedy the remedy if the weights do not fit, if it is not the usual one
    public void require(
            String owner, int positions, long available, Supplier<Optional<String>> remedy) {
        if (heap / Float.BYTES / (TABLES + 1L) > Integer.MAX_VALUE - Long.BYTES) {
            throw tables(owner, positions, "more than an array holds");
        }
        if (heap > Runtime.getRuntime().maxMemory()) {
            throw tables(
                    owner,
                    positions,
                    "%s of the Java heap, but that has %s"
                            .formatted(
                                    mebibytes(heap), mebibytes(Runtime.getRuntime().maxMemory())));
        }
        if (weights > available) {
            throw ErrorCode.OUT_OF_MEMORY.error(
                    "the weights of %s take %s, but %s are available."
                            .formatted(owner, mebibytes(weights), mebibytes(available)),
                    remedy.get()
                            .orElse(
                                    "Use a smaller model or a precision with fewer bits, or free memory."));
        }
    }

    private static OutriderException tables(String owner, int positions, String problem) {
        return ErrorCode.OUT_OF_MEMORY.error(
                "the position tables of %s for %d positions take %s."
                        .formatted(owner, positions, problem),
                "Set maxPositions of the target to the longest text you need, or lower"
                        + " max_position_embeddings in the checkpoint's config.json to it.");
    }

    /// Returns bytes as messages give them.
    public static String mebibytes(long bytes) {
        return "%d MiB".formatted(Math.ceilDiv(bytes, 1L << 20));
    }
}
