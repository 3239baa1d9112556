package dev.outrider.drafter.lookup.ngram;

import dev.outrider.spi.Default;
import dev.outrider.spi.Doc;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `ngram`. It samples with the target's own policy, and its law is known.
@Doc("Drafts from a table of token pairs counted in a corpus; 'outrider train ngram' makes one.")
public record NgramConfig(
        @Doc("The table, a safetensors file.") Path table,
        @Doc("1 ignores the last token (unigram), 2 looks at it (bigram).") @Default("2") int order,
        @Doc(
                        "Tokens drafted a round as a chain, 1 to 1024; 4 when neither 'length' nor 'tree' is given.")
                Optional<Integer> length,
        @Doc("Shape of the drafts, in place of 'length'.") Optional<TreePlan> tree,
        @Doc(
                        "Weight of the unigram law in the bigram law, as a number of imagined occurrences; more than 0.")
                @Default("1")
                double smoothing) {
    private static final int DEFAULT_LENGTH = 4;
    private static final int MOST_LENGTH = 1024;

    public NgramConfig {
        if (order != 1 && order != 2) {
            throw new IllegalArgumentException("order %d must be 1 or 2".formatted(order));
        }
        if (length.isPresent() && tree.isPresent()) {
            throw new IllegalArgumentException(
                    "'length' (%d) and 'tree' exclude each other".formatted(length.get()));
        }
        if (length.isPresent() && (length.get() < 1 || length.get() > MOST_LENGTH)) {
            throw new IllegalArgumentException(
                    "length %d must be between 1 and 1024".formatted(length.get()));
        }
        if (!(smoothing > 0 && smoothing < 1e9)) {
            throw new IllegalArgumentException(
                    "smoothing %s must be more than 0".formatted(smoothing));
        }
    }

    TreePlan plan() {
        return tree.orElseGet(() -> new TreePlan.Chain(length.orElse(DEFAULT_LENGTH)));
    }

    DrafterTraits traits() {
        var plan = plan();
        return DrafterTraits.following(plan, false);
    }
}
