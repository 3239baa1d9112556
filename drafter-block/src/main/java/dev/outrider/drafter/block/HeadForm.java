package dev.outrider.drafter.block;

import java.util.Optional;

/// The heads beside the backbone.
///
/// @param markov          adds a bias to a slot's logits that depends on the token before it
/// @param confidence      whether there is a head that predicts acceptance
/// @param confidenceReads whether that head reads the Markov head's embedding of the token before, beside the slot's
///                        state
record HeadForm(Optional<Markov> markov, boolean confidence, boolean confidenceReads) {
    /// No heads: DFlash.
    static final HeadForm NONE = new HeadForm(Optional.empty(), false, false);

    /// A Markov head.
    ///
    /// @param rank width of its embeddings
    record Markov(int rank, Type type) {}

    /// The use of the previous token's embedding in a Markov head.
    ///
    /// @see "Cheng et al. 2026 (DSpark), section 3"
    enum Type {
        /// The embedding itself: a bias of rank r for every pair of tokens.
        VANILLA,
        /// The embedding times a gate that reads it and the slot's state.
        GATED,
        /// A recurrent state, which reads the embedding and runs through the block.
        RNN
    }
}
