package dev.outrider.experiment.stats;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.Looking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Goes on until the fastest side is known, prompts are at an end or time is over. It looks after a first number of groups of prompts
/// and then whenever there are half as many again. The looks are fixed before the first, and each gets an equal share of the chance of
/// an error (Bonferroni), so that looking often does not make wrong winners likelier (docs/decisions/0067). Confined to one thread.
public final class UntilDecided implements Looking {
    private final int first;
    private final Optional<Duration> time;
    private final Ticker ticker;
    private final long start;
    private int planned = 1;
    private int taken;
    private boolean decided;

    /// @param first  groups of prompts before the first look
    /// @param time   after which no group begins; counts from now
    /// @param ticker clock of that time
    public UntilDecided(int first, Optional<Duration> time, Ticker ticker) {
        this.first = first;
        this.time = time;
        this.ticker = ticker;
        this.start = ticker.nanos();
    }

    /// The looks at so many groups.
    static List<Integer> schedule(int first, int groups) {
        var sizes = new ArrayList<Integer>();
        for (int size = Math.max(2, first); size < groups; size += Math.ceilDiv(size, 2)) {
            sizes.add(size);
        }
        sizes.add(groups);
        return List.copyOf(sizes);
    }

    @Override
    public List<Integer> sizes(int groups) {
        var sizes = schedule(first, groups);
        planned = sizes.size();
        return sizes;
    }

    @Override
    public boolean enough(ComparisonResult soFar, int look) {
        taken = look;
        var standings = Standings.of(soFar, alpha());
        decided = !standings.isEmpty() && Standings.decided(standings);
        return decided;
    }

    @Override
    public boolean spent() {
        return time.isPresent() && ticker.nanos() - start >= time.get().toNanos();
    }

    /// Chance that any interval of one look misses.
    public double alpha() {
        return Standings.ALPHA / planned;
    }

    /// How it came to its end.
    public Looks looks(ComparisonResult result) {
        return new Looks(planned, taken, result.plan().prompts().size(), end(result));
    }

    private Looks.End end(ComparisonResult result) {
        if (result.interrupted()) {
            return Looks.End.INTERRUPTED;
        }
        if (decided) {
            return Looks.End.DECIDED;
        }
        return spent() ? Looks.End.TIME_OVER : Looks.End.NO_MORE_PROMPTS;
    }
}
