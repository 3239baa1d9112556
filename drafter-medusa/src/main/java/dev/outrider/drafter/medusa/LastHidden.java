package dev.outrider.drafter.medusa;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.ValueLayout;

/// The target's hidden state after the final norm at the token before the root: that of the last accepted node of the pass that
/// chose the root. Confined to the session's thread.
public final class LastHidden {
    /// Which state that is.
    public static final HiddenState STATE = new HiddenState.AfterFinalNorm();

    private float[] values = new float[0];

    /// None is known.
    public LastHidden() {}

    /// A session begins.
    ///
    /// @param promptStates of all tokens but the last; none for a prompt of one token
    public void begin(HiddenStates promptStates) {
        if (promptStates.size() > 0) {
            take(promptStates, promptStates.size() - 1);
        }
    }

    /// Copies a state.
    public void take(HiddenStates states, int index) {
        values = states.hidden(STATE, index).toArray(ValueLayout.JAVA_FLOAT);
    }

    /// Whether there is one.
    public boolean known() {
        return values.length > 0;
    }

    /// It, `[d]`; not to be changed.
    public float[] values() {
        return values;
    }
}
