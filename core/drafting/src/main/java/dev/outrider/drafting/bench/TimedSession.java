package dev.outrider.drafting.bench;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
    /// @param guesses of a draft
    /// @param target  sizes of the states and logits
    TimedSession(Drafter drafter, int context, int fresh, int guesses, DecoderConfig target) {
        this.drafter = drafter;
        this.context = context;
        this.fresh = fresh;
        budget = new DraftBudget(guesses, guesses);
        states =
                new States(
                        MemorySegment.ofArray(state(target.hiddenSize())),
                        MemorySegment.ofArray(new float[target.vocabularySize()]),
                        context);
        session = begun();
    }

    /// Drafts once; this is timed.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if it has another number of guesses
    void draft() {
        int guesses = session.propose(budget, new Fixed()).tree().draftedNodes();
        if (guesses != budget.maxNodes()) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    "the draft that is timed has %d guesses, expected %d"
                            .formatted(guesses, budget.maxNodes()),
                    "Give the bench a drafter that drafts whole chains of that length, without stops.");
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
        var draft = opened.propose(budget, new Fixed());
        for (int row = 0; row < fresh; row++) {
            reject(opened, row == 0 ? draft : opened.propose(NOTHING, new Fixed()));
        }
        return opened;
    }

    /// Returns numbers that stand for a state of the target.
    private static float[] state(int size) {
        var numbers = new float[size];
        for (int index = 0; index < size; index++) {
            numbers[index] = (float) Math.sin(index);
        }
        return numbers;
    }

    private void reject(DraftSession opened, Draft draft) {
        opened.observe(draft, new Verdict(List.of(), 5, Verdict.Origin.CORRECTION), states);
    }

    /// The same state and the same logits for every position.
    private record States(MemorySegment state, MemorySegment row, int size)
            implements TargetScores {
        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return state;
        }

        @Override
        public int vocabularySize() {
            return Math.toIntExact(row.byteSize() / Float.BYTES);
        }

        @Override
        public MemorySegment logits(int node) {
            return row;
        }

        @Override
        public void close() {}
    }

    /// The middle of every distribution.
    private record Fixed() implements Randomness {
        private static final double MIDDLE = 0.5;

        @Override
        public boolean accept(int node, double numerator, double denominator) {
            return MIDDLE * denominator < numerator;
        }

        @Override
        public int draw(Role role, int node, double[] distribution) {
            double sum = 0;
            for (double weight : distribution) {
                sum += weight;
            }
            double left = MIDDLE * sum;
            int token = 0;
            int last = -1;
            while (token < distribution.length && left >= 0) {
                if (distribution[token] > 0) {
                    last = token;
                    left -= distribution[token];
                }
                token++;
            }
            return last;
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            var tokens = new int[Math.min(count, distribution.length)];
            int found = 0;
            for (int token = 0; token < distribution.length; token++) {
                double weight = distribution[token];
                boolean full = found == tokens.length;
                if (weight > (full ? distribution[tokens[found - 1]] : 0)) {
                    int place = full ? found - 1 : found++;
                    for (; place > 0 && distribution[tokens[place - 1]] < weight; place--) {
                        tokens[place] = tokens[place - 1];
                    }
                    tokens[place] = token;
                }
            }
            return found == tokens.length ? tokens : Arrays.copyOf(tokens, found);
        }

        @Override
        public double uniform(Role role, int node) {
            return MIDDLE;
        }
    }
}
