package dev.outrider.drafter.block;

import java.util.Optional;

/// Which heads a checkpoint has beside the backbone.
///
/// @param markov           adds to a slot's logits what the token before it says
/// @param confidence       whether there is a head that foretells acceptance
/// @param confidenceReads  whether it reads the Markov head's embedding of the token before, beside the slot's state
record HeadForm(Optional<Markov> markov, boolean confidence, boolean confidenceReads) {
    /// None: DFlash.
    static final HeadForm NONE = new HeadForm(Optional.empty(), false, false);

    /// A Markov head.
    ///
    /// @param rank width of its embeddings
    /// @param type what it makes of them
    record Markov(int rank, Type type) {}

    /// What a Markov head makes of the embedding of the token before.
    ///
    /// @see "Cheng et al. 2026 (DSpark), section 3"
    enum Type {
        /// Nothing: a bias of rank r for every pair of tokens.
        VANILLA,
        /// Opened by a gate that reads it and the slot's state.
        GATED,
        /// Read into a state that goes through the block.
        RNN
    }
}
