package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// A network whose every pass takes a set time, for questions about stages rather than about arithmetic. It may take another token than
/// its own best for the best: then its best one has some other rank. Its distribution is as sharp as its ranks are right: a token of a rank
/// is as probable as that rank has the best one.
///
/// Passes are confined to one thread at a time.
///
/// @param network computes
/// @param nanos   of a pass; one that takes longer stays as it is
/// @param ranks   how often the network's best token has the first rank, the second and so on, and in the end any other; empty leaves the
///                network as it is
record StagedNetwork(DecoderNetwork network, long nanos, List<Double> ranks)
        implements DecoderNetwork {
    /// A network that is what it is.
    StagedNetwork(DecoderNetwork network, long nanos) {
        this(network, nanos, List.of());
    }

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
        return ranks.isEmpty() ? pass : new Ranked(pass, blocks.getFirst().positions(), ranks);
    }

    @Override
    public void close() {
        network.close();
    }

    /// Logits whose best token has another rank at some positions, always the same.
    private record Ranked(PassResult pass, int[] positions, List<Double> ranks)
            implements PassResult {
        @Override
        public int rows() {
            return pass.rows();
        }

        @Override
        public MemorySegment logits(int row) {
            float[] own = pass.logits(row).toArray(ValueLayout.JAVA_FLOAT);
            var order =
                    new ArrayList<>(
                            IntStream.range(0, own.length)
                                    .boxed()
                                    .sorted(Comparator.comparing(token -> -own[token]))
                                    .toList());
            order.add(rank(positions[row]), order.removeFirst());
            var logits = new float[own.length];
            for (int rank = 0; rank < own.length; rank++) {
                logits[order.get(rank)] = (float) Math.log(Math.max(1e-9, probability(rank)));
            }
            return MemorySegment.ofArray(logits);
        }

        private int rank(int position) {
            double left = new SplittableRandom(position).nextDouble();
            int rank = 0;
            while (rank < ranks.size() - 1 && left >= ranks.get(rank)) {
                left -= ranks.get(rank);
                rank++;
            }
            return rank;
        }

        /// Falls by little among those of one probability, which keeps their order.
        private double probability(int rank) {
            int last = ranks.size() - 1;
            return rank < last
                    ? ranks.get(rank)
                    : ranks.get(last) / (1 + last) * Math.pow(0.99, rank - last);
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
