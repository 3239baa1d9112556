package dev.outrider.drafting.head;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;

/// A session of heads that read one state of the target's, that of the token before the root. It keeps no state of a round.
/// Confined to one thread.
public final class StateSession extends HeadSession {
    private final StateReader reader;
    private final int guesses;
    private final TreeExpander expander;
    private final Start start;

    /// Begins a round.
    @FunctionalInterface
    public interface Start {
        /// Returns the guesses of a round.
        ///
        /// @param state of the token before the root
        /// @param root  the last committed token
        DraftStepper after(float[] state, int root);
    }

    /// @param reader  closed with the session
    /// @param guesses greatest depth of a draft
    public StateSession(StateReader reader, int guesses, TreeExpander expander, Start start) {
        this.reader = reader;
        this.guesses = guesses;
        this.expander = expander;
        this.start = start;
    }

    @Override
    protected void read(HiddenStates states, int index, int next) {
        reader.read(states, index, next);
    }

    @Override
    protected int depth() {
        return reader.state().isPresent() ? guesses : 0;
    }

    @Override
    protected Draft guess(DraftBudget budget, Randomness randomness) {
        var stepper = start.after(reader.state().orElseThrow(), tokens().root());
        return expand(expander, stepper, budget, randomness);
    }

    @Override
    public void close() {
        reader.close();
    }
}
