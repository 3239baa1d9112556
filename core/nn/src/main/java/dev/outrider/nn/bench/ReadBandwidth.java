package dev.outrider.nn.bench;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Ticker;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;

/// How fast the engine's threads read memory: the time of a sum over more floats than any cache holds.
final class ReadBandwidth implements AutoCloseable {
    private static final long FLOATS = 1L << 27;

    private static final String SOURCE =
            """
              def total(self: __torch__.M, x: Tensor) -> Tensor:
                return torch.sum(x)
            """;

    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript script = TorchScript.compile(SOURCE);
    private final TorchValue memory = TorchValue.of(manager.ones(new Shape(FLOATS)));

    /// One reading, in bytes per second.
    double measure(Ticker clock) {
        long start = clock.nanos();
        script.call("total", memory).close();
        return FLOATS * Float.BYTES * 1e9 / (clock.nanos() - start);
    }

    @Override
    public void close() {
        memory.close();
        script.close();
        manager.close();
    }
}
