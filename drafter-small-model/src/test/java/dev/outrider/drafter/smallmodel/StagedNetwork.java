package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/// A network whose every pass takes a set time, for questions about stages rather than about arithmetic. At some places, always
/// the same, it takes another token for the best.
///
/// Passes are confined to one thread at a time.
///
/// @param network   computes
/// @param nanos     of a pass; one that takes longer stays as it is
/// @param agreement how often its best token is the network's
record StagedNetwork(DecoderNetwork network, long nanos, double agreement)
        implements DecoderNetwork {
    @Override
    public KvCache newCache(int rows) {
        return network.newCache(rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        long end = System.nanoTime() + nanos;
        var pass = network.forward(blocks, outputs);
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return agreement < 1 ? new Mistaken(pass, blocks.getFirst().positions(), agreement) : pass;
    }

    @Override
    public void close() {
        network.close();
    }

    /// Logits whose best is another one at some positions.
    private record Mistaken(PassResult pass, int[] positions, double agreement)
            implements PassResult {
        @Override
        public int rows() {
            return pass.rows();
        }

        @Override
        public MemorySegment logits(int row) {
            var logits = pass.logits(row);
            if (new SplittableRandom(positions[row]).nextDouble() < agreement) {
                return logits;
            }
            float[] changed = logits.toArray(ValueLayout.JAVA_FLOAT);
            int best = 0;
            for (int token = 1; token < changed.length; token++) {
                best = changed[token] > changed[best] ? token : best;
            }
            changed[(best + 1) % changed.length] = changed[best] + 1;
            return MemorySegment.ofArray(changed);
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            return pass.hidden(which, row);
        }

        @Override
        public void close() {
            pass.close();
        }
    }
}
