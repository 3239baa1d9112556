package dev.outrider.nn.bench;

import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// What a benchmark takes of memory, computed before anything of it is.
final class BenchMemory {
    private BenchMemory() {}

    /// Checks the demand.
    ///
    /// @throws OutriderException `OUT_OF_MEMORY`
    static void require(ModelBench.Request request) {
        var demand = DecoderMemory.of(request.shape(), request.precision());
        double caches =
                (double)
                                ModelBench.cacheBytes(
                                        request.shape(),
                                        Float.BYTES)
                        * request.cachedRows(request.mostRows());
        double bytes = demand.weights() + demand.tables() + caches;
        long available = NativeMemory.availableBytes();
        if (bytes > available) {
            throw problem(request, "%s of memory".formatted(gibibytes(bytes)), available);
        }
        long heap = Runtime.getRuntime().maxMemory();
        if (demand.heap() > heap) {
            throw problem(request, "%s of the Java heap".formatted(gibibytes(demand.heap())), heap);
        }
    }

    private static OutriderException problem(
            ModelBench.Request request, String what, long available) {
        return new OutriderException(
                ErrorCode.OUT_OF_MEMORY,
                "shape '%s' with %d sequences of up to %d positions takes %s, but %s are available."
                        .formatted(
                                request.name(),
                                request.sequences(),
                                request.context() + request.mostRows(),
                                what,
                                gibibytes(available)),
                "Lower --context, --sequences or --rows, or use a smaller shape or a precision with fewer bits.");
    }

    private static String gibibytes(double bytes) {
        return "%.1f GiB".formatted(bytes / (1L << 30));
    }
}
