package dev.outrider.spi;

import java.util.Set;

/// A loaded drafter: weights shared by any number of sequences. Thread-safe.
public interface Drafter extends AutoCloseable {
    /// What it produces; equal to the factory's answer for its configuration.
    DrafterTraits traits();

    /// The target's hidden states it reads; empty when it needs none.
    default Set<HiddenState> hiddenStates() {
        return Set.of();
    }

    /// Number of parameters, for cost models; 0 for drafters without a model.
    default long parameters() {
        return 0;
    }

    /// Lower-case hexadecimal digest of its weights, for provenance; empty for drafters without a model.
    default String digest() {
        return "";
    }

    /// Starts drafting for one sequence.
    DraftSession open(DraftRequest request);

    /// Releases weights. Sessions must be closed first. Idempotent.
    @Override
    void close();
}
