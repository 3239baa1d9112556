package dev.outrider.drafting.bench;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/// Rounds of a drafter over made-up states, as the decode loop asks for them: a draft reads the rows that are new since the draft
/// before. Owns the drafter. Confined to one thread.
final class TimedSession implements AutoCloseable {
    private static final DraftBudget NOTHING = new DraftBudget(0, 0);

    private final Drafter drafter;
    private final int context;
    private final int fresh;
    private final DraftBudget budget;
    private final States states;
    private DraftSession session;

    /// @param context rows that the drafter has read before a draft
    /// @param fresh   new rows of a draft, at least 1
    /// @param length  depth of a draft
    TimedSession(Drafter drafter, int context, int fresh, int length, int hiddenSize) {
        this.drafter = drafter;
        this.context = context;
        this.fresh = fresh;
        budget = new DraftBudget(length, length);
        states = new States(MemorySegment.ofArray(HeadBench.state(hiddenSize)), context);
        session = begun();
    }

    /// Drafts once; this is timed.
    void draft() {
        if (session.propose(budget, new Undrawn()).tree().draftedNodes() == 0) {
            throw new IllegalStateException("no guess");
        }
    }

    /// Begins a sequence again; not timed.
    void reset() {
        session.close();
        session = begun();
    }

    @Override
    public void close() {
        session.close();
        drafter.close();
    }

    private DraftSession begun() {
        int capacity = context + fresh + budget.maxDepth() + 2;
        var opened = drafter.open(new DraftRequest(capacity, SamplingPolicy.argmax()));
        opened.begin(IntStream.rangeClosed(0, context).map(i -> i % 97).toArray(), states);
        var draft = opened.propose(budget, new Undrawn());
        for (int row = 0; row < fresh; row++) {
            reject(opened, row == 0 ? draft : opened.propose(NOTHING, new Undrawn()));
        }
        return opened;
    }

    private void reject(DraftSession opened, Draft draft) {
        opened.observe(draft, new Verdict(List.of(), 5, Verdict.Origin.CORRECTION), states);
    }

    /// The same state for every position.
    private record States(MemorySegment state, int size) implements TargetScores {
        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return state;
        }

        @Override
        public int vocabularySize() {
            throw new UnsupportedOperationException("no logits are read");
        }

        @Override
        public MemorySegment logits(int node) {
            throw new UnsupportedOperationException("no logits are read");
        }

        @Override
        public void close() {}
    }

    /// Greedy chains draw nothing.
    private record Undrawn() implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            throw new UnsupportedOperationException("nothing is drawn");
        }

        @Override
        public int draw(Role role, int node, double[] distribution) {
            throw new UnsupportedOperationException("nothing is drawn");
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw new UnsupportedOperationException("nothing is drawn");
        }

        @Override
        public double uniform(Role role, int node) {
            throw new UnsupportedOperationException("nothing is drawn");
        }
    }
}
