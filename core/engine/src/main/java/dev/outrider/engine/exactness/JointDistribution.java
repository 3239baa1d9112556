package dev.outrider.engine.exactness;

import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Many generations of one request with fresh randomness, counted into [SequenceCells]: the joint distribution of the
/// first few tokens, across the border of rounds. Confined to one thread.
public final class JointDistribution {
    private final BatchDecoder decoder;
    private final DecodeRequest request;
    private final long seed;
    private final SequenceCells cells;
    private final long[] counts;
    private long samples;
    private long acrossRounds;

    /// @param cells the target's own distribution of what follows
    /// @param seed  of the run; sample i draws from the streams of request i
    public JointDistribution(
            BatchDecoder decoder, DecodeRequest request, SequenceCells cells, long seed) {
        this.decoder = decoder;
        this.request =
                new DecodeRequest(
                        request.prompt(),
                        cells.tokens(),
                        request.policy(),
                        List.of(),
                        true,
                        request.source());
        this.cells = cells;
        this.seed = seed;
        this.counts = new long[cells.size()];
    }

    /// Generates once more, as many sequences as are decoded together.
    ///
    /// @param cancelled asked before every round; cancelled generations are not counted, nor those of the same batch: the generations
    ///                  that end first are not like the others
    public void sample(BooleanSupplier cancelled) {
        var firstRounds = new int[decoder.width()];
        var items = new ArrayList<BatchDecoder.Item>();
        for (int item = 0; item < decoder.width(); item++) {
            int place = item;
            DecodeListener listener =
                    event -> {
                        if (event instanceof RoundCompleted done && done.round() == 0) {
                            firstRounds[place] = done.emitted();
                        }
                    };
            var randomness = RandomnessSource.of(new KeyedRandomStreams(seed, samples + item));
            items.add(new BatchDecoder.Item(request, randomness, listener));
        }
        var generations = decoder.decode(items, cancelled);
        if (!BatchDecoder.complete(generations)) {
            return;
        }
        for (int item = 0; item < generations.size(); item++) {
            count(generations.get(item).orElseThrow().tokens(), firstRounds[item]);
        }
    }

    private void count(int[] tokens, int firstRound) {
        var place = cells.place(tokens);
        counts[place.cell()]++;
        samples++;
        if (place.tokens() > firstRound) {
            acrossRounds++;
        }
    }

    /// Generations so far.
    public long samples() {
        return samples;
    }

    /// Generations whose cell was decided by tokens of two rounds or more.
    public long acrossRounds() {
        return acrossRounds;
    }

    /// The counts against the distribution.
    public GoodnessOfFit test(double alpha) {
        return GoodnessOfFit.test(cells.distribution(), counts, alpha);
    }
}
