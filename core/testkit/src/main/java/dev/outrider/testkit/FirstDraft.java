package dev.outrider.testkit;

import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import java.util.List;

/// The first draft after a text by a drafter that reads no hidden states, for tests of its special
/// features, beside [DrafterConformance].
public final class FirstDraft {
    private static final TableTarget TARGET = TableTarget.of(TableModel.constant(1));
    private static final int CAPACITY = 256;

    private FirstDraft() {}

    /// {@return the draft of the first round}
    ///
    /// @param drafter the drafter; its draws are the same every time
    /// @param budget  limits of the draft
    /// @param text    the prompt, 1 to 256 tokens
    public static Draft of(Drafter drafter, DraftBudget budget, int... text) {
        return of(drafter, budget, List.of(), text);
    }

    /// {@return the draft of the first round of a sequence that has a source}
    ///
    /// @param drafter the drafter; its draws are the same every time
    /// @param budget  limits of the draft
    /// @param source  input of the target's encoder
    /// @param text    the prompt, 1 to 256 tokens
    public static Draft of(Drafter drafter, DraftBudget budget, List<Integer> source, int... text) {
        try (var session =
                        drafter.open(new DraftRequest(CAPACITY, SamplingPolicy.argmax(), source));
                var target = TARGET.open(SessionRequest.ofCapacity(1));
                var states = target.prefill(new int[] {0})) {
            session.begin(text, states);
            var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0);
            return session.propose(budget, randomness);
        }
    }
}
