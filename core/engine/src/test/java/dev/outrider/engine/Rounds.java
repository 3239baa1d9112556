package dev.outrider.engine;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.stream.IntStream;

/// Finished rounds, for tests of their listeners.
public final class Rounds {
    private Rounds() {}

    /// Returns a round over a chain.
    public static RoundCompleted chain(int length, int accepted, StageTimes times) {
        var tree = TokenTree.chain(0, new int[length]);
        var path = IntStream.rangeClosed(1, accepted).boxed().toList();
        var origin = accepted < length ? Origin.CORRECTION : Origin.BONUS;
        return new RoundCompleted(
                0,
                new Draft(tree, new Selection.PointMass()),
                new Verdict(path, 1, origin),
                accepted + 1,
                times);
    }

    /// Returns a round over a chain with a time per drafted token and a time of the pass.
    public static RoundCompleted timed(int length, int accepted, long step, long pass) {
        return chain(length, accepted, new StageTimes(length * step, pass, 0, 0, 0, 0));
    }
}
