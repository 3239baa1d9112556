package dev.outrider.drafting;

/// Checks the order of the calls of a draft session: `begin` once, then in every round `propose` and `observe`. A proposal without
/// a verdict is dropped when the next proposal, or another text, comes.
///
/// Confined to one thread.
public final class CallOrder {
    private boolean begun;
    private boolean undecided;

    /// The state before the first call.
    public CallOrder() {}

    /// Called when the session begins.
    ///
    /// @throws IllegalStateException if it has begun already
    public void begin() {
        if (begun) {
            throw new IllegalStateException("the session has begun already");
        }
        begun = true;
    }

    /// Called when the session continues with another text.
    ///
    /// @throws IllegalStateException if it has not begun
    public void restart() {
        leaveDraft("restart");
    }

    /// Called when the session gets tokens that it has not guessed.
    ///
    /// @throws IllegalStateException if it has not begun
    public void note() {
        leaveDraft("note");
    }

    /// Called when the session is asked for a proposal.
    ///
    /// @throws IllegalStateException if it has not begun
    public void propose() {
        leaveDraft("propose");
        undecided = true;
    }

    private void leaveDraft(String call) {
        if (!begun) {
            throw new IllegalStateException(call + " comes after begin");
        }
        undecided = false;
    }

    /// Called when the session observes the verdict on its proposal.
    ///
    /// @throws IllegalStateException if there is none
    public void observe() {
        if (!undecided) {
            throw new IllegalStateException("observe comes after propose");
        }
        undecided = false;
    }
}
