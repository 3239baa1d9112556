package dev.outrider.drafter.bench;

import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// One sequence of a drafter over generated text that often repeats itself, like copied text.
final class Sequence implements AutoCloseable {
    private static final double COPIES = .9;
    private static final int WORDS = 2000;

    private final Drafter drafter;
    private final DraftSession session;
    private final RowScores scores;
    private final Randomness randomness =
            RandomnessSource.of(new KeyedRandomStreams(1, 0)).round(0);
    private final int[] text;
    private int next;

    /// @param history tokens of the prompt
    /// @param rounds  maximum number of rounds
    Sequence(Drafter drafter, RowScores scores, int history, int rounds) {
        this.drafter = drafter;
        this.scores = scores;
        this.text = text(history + rounds);
        this.next = history;
        this.session = drafter.open(new DraftRequest(text.length, SamplingPolicy.argmax()));
        session.begin(Arrays.copyOf(text, history), scores);
    }

    Draft propose() {
        return session.propose(drafter.traits().fullBudget(), randomness);
    }

    /// Proposes, and observes a verdict that accepts nothing.
    Draft round() {
        var draft = propose();
        session.observe(draft, new Verdict(List.of(), text[next++], Origin.CORRECTION), scores);
        return draft;
    }

    private static int[] text(int length) {
        var random = new SplittableRandom(9);
        var tokens = new int[length];
        int copied = 0;
        for (int index = 1; index < length; index++) {
            boolean copies = random.nextDouble() < COPIES;
            copied = copies ? copied + 1 : random.nextInt(index);
            tokens[index] = copies ? tokens[copied - 1] : random.nextInt(WORDS);
        }
        return tokens;
    }

    @Override
    public void close() {
        session.close();
        drafter.close();
    }
}
