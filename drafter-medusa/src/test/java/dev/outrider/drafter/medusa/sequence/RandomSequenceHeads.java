package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.RandomHeads;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.StateReader;

/// Heads with random weights and two numbers per state, which borrow only the embeddings.
final class RandomSequenceHeads {
    static final int HIDDEN = 2;
    static final int GUESSES = 3;

    private RandomSequenceHeads() {}

    /// Kinds of heads.
    enum Kind {
        HYDRA,
        RECURRENT,
        SUMMED
    }

    static SequenceHeads of(Kind kind, int vocabulary, long seed) {
        var target = RandomHeads.embeddings(vocabulary, HIDDEN, seed);
        var matrices = RandomHeads.matrices(seed);
        return switch (kind) {
            case HYDRA ->
                    new HydraHeads(
                            new HydraHeads.Sizes(HIDDEN, vocabulary, GUESSES, 2, true),
                            HydraCheckpoint.NAMES,
                            GUESSES,
                            matrices,
                            target,
                            _ -> StateReader.ofLast());
            case RECURRENT, SUMMED ->
                    new RecurrentHead(
                            new RecurrentHead.Sizes(
                                    HIDDEN,
                                    vocabulary,
                                    2 * HIDDEN,
                                    1,
                                    kind == Kind.RECURRENT,
                                    true),
                            GUESSES,
                            matrices,
                            target);
        };
    }
}
