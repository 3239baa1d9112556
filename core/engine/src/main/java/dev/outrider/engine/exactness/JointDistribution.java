package dev.outrider.engine.exactness;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.FinishReason;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Many generations from one prompt with fresh randomness, counted into [SequenceCells]: the joint distribution of the
/// first few tokens, across the border of rounds. Confined to one thread.
public final class JointDistribution {
    private final Decoder decoder;
    private final SamplingPolicy policy;
    private final int[] prompt;
    private final long seed;
    private final SequenceCells cells;
    private final long[] counts;
    private long samples;
    private long acrossRounds;

    /// @param cells the target's own distribution after the prompt under the policy
    /// @param seed  of the run; sample i draws from the streams of request i
    public JointDistribution(
            Decoder decoder, SamplingPolicy policy, int[] prompt, SequenceCells cells, long seed) {
        this.decoder = decoder;
        this.policy = policy;
        this.prompt = prompt.clone();
        this.cells = cells;
        this.seed = seed;
        this.counts = new long[cells.size()];
    }

    /// Generates once more.
    ///
    /// @param cancelled asked before every round; a generation that it ends is not counted
    public void sample(BooleanSupplier cancelled) {
        var request = new DecodeRequest(prompt, cells.tokens(), policy, List.of(), true);
        var randomness = RandomnessSource.of(new KeyedRandomStreams(seed, samples));
        var firstRound = new int[1];
        DecodeListener listener =
                event -> {
                    if (event instanceof RoundCompleted done && done.round() == 0) {
                        firstRound[0] = done.emitted();
                    }
                };
        var generation = decoder.decode(request, randomness, listener, cancelled);
        if (generation.reason() == FinishReason.CANCELLED) {
            return;
        }
        var place = cells.place(generation.tokens());
        counts[place.cell()]++;
        samples++;
        if (place.tokens() > firstRound[0]) {
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
