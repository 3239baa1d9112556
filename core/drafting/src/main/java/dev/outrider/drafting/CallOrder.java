package dev.outrider.drafting;

import java.util.Optional;

/// Keeps the calls of a draft session in order: `begin` once, then in every round `propose` and `observe`. Between
/// these two it holds what the session has to know of its proposal. A proposal that nobody decided about is forgotten
/// when the next one comes.
///
/// Confined to one thread.
///
/// @param <P> what is held, such as the proposed tree
public final class CallOrder<P> {
    private boolean begun;
    private Optional<P> undecided = Optional.empty();

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

    /// The session is asked for a proposal.
    ///
    /// @throws IllegalStateException if it has not begun
    public void requireBegun() {
        if (!begun) {
            throw new IllegalStateException("propose comes after begin");
        }
    }

    /// The session proposes.
    ///
    /// @param proposal held until it is decided
    public void propose(P proposal) {
        requireBegun();
        undecided = Optional.of(proposal);
    }

    /// The session observes what became of its proposal.
    ///
    /// @return the proposal, which is not held any more
    /// @throws IllegalStateException if there is none
    public P observe() {
        var decided =
                undecided.orElseThrow(
                        () -> new IllegalStateException("observe comes after propose"));
        undecided = Optional.empty();
        return decided;
    }
}
