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
/// its own best for the best: then its best one has some other rank. Positions are of some kinds, always the same, and at each
/// the distribution says how often tokens of a rank are the best one there: it knows where it is in doubt, and no more than that.
///
/// Passes are confined to one thread at a time.
///
/// @param network computes
/// @param nanos   of a pass; one that takes longer stays as it is
/// @param kinds   of positions; none leaves the network as it is
record StagedNetwork(DecoderNetwork network, long nanos, List<Kind> kinds)
        implements DecoderNetwork {
    /// Positions of one kind.
    ///
    /// @param share how many of all positions
    /// @param ranks how often the network's best token has the first rank there, the second and so on, and in the end any other
    record Kind(double share, List<Double> ranks) {}

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
        return kinds.isEmpty() ? pass : new Ranked(pass, blocks.getFirst().positions(), kinds);
    }

    @Override
    public void close() {
        network.close();
    }

    /// Logits whose best token has another rank at some positions, always the same.
    private record Ranked(PassResult pass, int[] positions, List<Kind> kinds)
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
            var random = new SplittableRandom(positions[row]);
            var shares = kinds.stream().map(Kind::share).toList();
            var ranks = kinds.get(drawn(shares, random.nextDouble())).ranks();
            int rank = drawn(ranks, random.nextDouble());
            boolean later = rank == ranks.size() - 1;
            order.add(later ? random.nextInt(rank, own.length) : rank, order.removeFirst());
            var logits = new float[own.length];
            for (int place = 0; place < own.length; place++) {
                double share = probability(ranks, place, own.length);
                logits[order.get(place)] = (float) Math.log(Math.max(1e-9, share));
            }
            return MemorySegment.ofArray(logits);
        }

        private static int drawn(List<Double> shares, double uniform) {
            int index = 0;
            for (double left = uniform;
                    index < shares.size() - 1 && left >= shares.get(index);
                    index++) {
                left -= shares.get(index);
            }
            return index;
        }

        /// Falls by little among those of one probability, which keeps their order.
        private static double probability(List<Double> ranks, int rank, int tokens) {
            int last = ranks.size() - 1;
            return rank < last
                    ? ranks.get(rank)
                    : ranks.get(last) / (tokens - last) * Math.pow(0.99, rank - last);
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
