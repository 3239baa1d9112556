package dev.outrider.nn.vector;

import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.SourceEncoder;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An encoder in Java's vector code. It remembers the states it made last, for a drafter mostly reads what its target has just read.
final class VectorEncoder implements SourceEncoder, AutoCloseable {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final VectorPasses passes;
    private Optional<Encoded> last = Optional.empty();

    private record Encoded(int[] source, float[] states) {}

    /// @param passes of the encoder; closed with this
    VectorEncoder(VectorPasses passes) {
        this.passes = passes;
    }

    @Override
    public int hiddenSize() {
        return passes.config().hiddenSize();
    }

    @Override
    public synchronized float[] encode(int[] source) {
        if (last.isEmpty() || !Arrays.equals(last.get().source(), source)) {
            last = Optional.of(new Encoded(source.clone(), states(source)));
        }
        return last.get().states();
    }

    private float[] states(int[] source) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(LAST));
        int size = hiddenSize();
        try (var cache = passes.newCache(source.length)) {
            var plan =
                    PassPlan.of(List.of(RowBlock.mutual(cache, source)), outputs, passes.config());
            try (var result = passes.forward(plan, outputs, Optional.empty())) {
                var states = new float[Math.multiplyExact(source.length, size)];
                for (int row = 0; row < source.length; row++) {
                    MemorySegment.copy(
                            result.hidden(LAST, row),
                            ValueLayout.JAVA_FLOAT,
                            0,
                            states,
                            row * size,
                            size);
                }
                return states;
            }
        }
    }

    @Override
    public void close() {
        passes.close();
    }
}
