package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.common.Ticker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Measures the limits of the machine with the threads of a pass: the bandwidth of memory, and the rate of multiply-adds.
public final class Probes implements AutoCloseable {
    private static final long MEMORY = 1L << 29;
    private static final int CHUNKS = 64;
    private static final int STEPS = 400_000;
    private static final int CHAINS = 8;
    private static final double NANOS = 1e9;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = GrowingMemory.allocate(arena, MEMORY);

    /// Reads memory that is larger than any cache once, and returns bytes per second.
    public double bytesPerSecond(Ticker clock) {
        var sums = new int[CHUNKS];
        long start = clock.nanos();
        shared((_, from, end) -> {
            for (int chunk = from; chunk < end; chunk++) {
                sums[chunk] = sum(memory, chunk * (MEMORY / CHUNKS), MEMORY / CHUNKS);
            }
        });
        double seconds = (clock.nanos() - start) / NANOS;
        return MEMORY / seconds;
    }

    /// Runs independent fused multiply-adds, and returns operations per second; each multiply-add counts as two.
    public double operationsPerSecond(Ticker clock) {
        var sums = new float[CHUNKS];
        long start = clock.nanos();
        shared((_, from, end) -> {
            for (int chunk = from; chunk < end; chunk++) {
                sums[chunk] = chains(.5f + chunk * 1e-3f);
            }
        });
        double seconds = (clock.nanos() - start) / NANOS;
        return 2.0 * CHAINS * WIDTH * STEPS * CHUNKS / seconds;
    }

    private static void shared(Team.Work work) {
        var team = Team.enter();
        try {
            team.run(CHUNKS, work);
        } finally {
            team.leave();
        }
    }

    private static int sum(MemorySegment memory, long from, long size) {
        var a = IntVector.zero(INTS);
        var b = a;
        var c = a;
        var d = a;
        for (long at = from; at < from + size; at += 4L * BYTES) {
            a = a.add(IntVector.fromMemorySegment(INTS, memory, at, ORDER));
            b = b.add(IntVector.fromMemorySegment(INTS, memory, at + BYTES, ORDER));
            c = c.add(IntVector.fromMemorySegment(INTS, memory, at + 2L * BYTES, ORDER));
            d = d.add(IntVector.fromMemorySegment(INTS, memory, at + 3L * BYTES, ORDER));
        }
        return a.add(b).add(c.add(d)).lane(0);
    }

    private static float chains(float seed) {
        var m = FloatVector.broadcast(FLOATS, seed);
        var n = FloatVector.broadcast(FLOATS, .1f);
        var a = n;
        var b = n.add(1);
        var c = n.add(2);
        var d = n.add(3);
        var e = n.add(4);
        var f = n.add(5);
        var g = n.add(6);
        var h = n.add(7);
        for (int step = 0; step < STEPS; step++) {
            a = a.fma(m, n);
            b = b.fma(m, n);
            c = c.fma(m, n);
            d = d.fma(m, n);
            e = e.fma(m, n);
            f = f.fma(m, n);
            g = g.fma(m, n);
            h = h.fma(m, n);
        }
        return a.add(b).add(c.add(d)).add(e.add(f).add(g.add(h))).lane(0);
    }

    /// Releases the memory.
    @Override
    public void close() {
        arena.close();
    }
}
