package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;

/// Configuration of the drafter `adaptive-ngram`.
@Doc(
        "Drafts trees or chains from a store of n-grams that fills itself: from the prompt, from the text, and from the"
                + " target's own best tokens wherever it scored.")
public record AdaptiveNgramConfig(
        @Doc("Longest n-grams, the guessed token included, 2 to 16.") @Default("4") int maxOrder,
        @Doc(
                        "Shortest n-grams, 2 to maxOrder: shorter ones are looked up where longer ones do not know enough."
                                + " As much as maxOrder is one level.")
                @Default("2")
                int minOrder,
        @Doc(
                        "How many of the target's best tokens are learnt at every node that it scores, rejected ones"
                                + " included, 0 to 8; 0 learns from the text alone.")
                @Default("8")
                int topK,
        @Doc(
                        "Most contexts remembered, of all orders together, 16 to 4194304, each of up to 200 bytes; the one"
                                + " that was longest not learnt from is forgotten.")
                @Default("65536")
                int capacity,
        @Inline RankedDrafting drafting) {
    private static final int MAX_ORDER = 16;
    private static final int MIN_CAPACITY = 16;
    private static final int MAX_CAPACITY = 1 << 22;

    public AdaptiveNgramConfig {
        Require.between("maxOrder", maxOrder, 2, MAX_ORDER);
        Require.between("minOrder", minOrder, 2, maxOrder);
        Require.between("topK", topK, 0, RankTree.MAX_RANKS);
        Require.between("capacity", capacity, MIN_CAPACITY, MAX_CAPACITY);
    }

    DrafterTraits traits() {
        var traits = drafting.traits();
        return topK > 0 ? traits.readingRejectedNodes() : traits;
    }
}
