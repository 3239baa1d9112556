package dev.outrider.drafting;

/// Keeps the calls of a draft session in order: `begin` once, then in every round `propose` and `observe`. A proposal
/// without a verdict is forgotten when the next one comes, or another text.
///
/// Confined to one thread.
public final class CallOrder {
    private boolean begun;
    private boolean undecided;

    /// Nothing has been called.
    public CallOrder() {}

    /// The session begins.
    ///
    /// @throws IllegalStateException if it has begun already
    public void begin() {
        if (begun) {
            throw new IllegalStateException("the session has begun already");
        }
        begun = true;
    }

    /// The session goes on with another text.
    ///
    /// @throws IllegalStateException if it has not begun
    public void restart() {
        if (!begun) {
            throw new IllegalStateException("restart comes after begin");
        }
        undecided = false;
    }

    /// The session is told tokens that it has not guessed.
    ///
    /// @throws IllegalStateException if it has not begun
    public void note() {
        if (!begun) {
            throw new IllegalStateException("note comes after begin");
        }
        undecided = false;
    }

    /// The session is asked for a proposal.
    ///
    /// @throws IllegalStateException if it has not begun
    public void propose() {
        if (!begun) {
            throw new IllegalStateException("propose comes after begin");
        }
        undecided = true;
    }

    /// The session observes what became of its proposal.
    ///
    /// @throws IllegalStateException if there is none
    public void observe() {
        if (!undecided) {
            throw new IllegalStateException("observe comes after propose");
        }
        undecided = false;
    }
}
