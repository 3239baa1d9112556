package dev.outrider.experiment.recording;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;

/// Keeps every round of a run with its tree and verdict, without distributions. Thread-safe.
public final class RoundWatch implements RunListener {
    private final List<Round> rounds = new ArrayList<>();

    /// A round as it was.
    record Round(
            Sequence sequence,
            int round,
            String selection,
            TokenTree tree,
            Verdict verdict,
            int emitted,
            StageTimes times) {}

    @Override
    public DecodeListener begin(Sequence sequence) {
        return event -> {
            if (event instanceof DecodeEvent.RoundCompleted round) {
                add(
                        new Round(
                                sequence,
                                round.round(),
                                selection(round.draft()),
                                round.draft().tree(),
                                round.verdict(),
                                round.emitted(),
                                round.times()));
            }
        };
    }

    private synchronized void add(Round round) {
        rounds.add(round);
    }

    synchronized List<Round> rounds() {
        return List.copyOf(rounds);
    }

    /// How the nodes of a draft were chosen, as files spell it.
    static String selection(Draft draft) {
        return switch (draft.selection().kind()) {
            case POINT_MASS -> "point mass";
            case INDEPENDENT -> "independent";
            case WITHOUT_REPLACEMENT -> "without replacement";
        };
    }

    @Override
    public void close() {}
}
