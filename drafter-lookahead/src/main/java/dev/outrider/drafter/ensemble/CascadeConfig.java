package dev.outrider.drafter.ensemble;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterChoice;
import java.util.List;

/// Configuration of the drafter `cascade`.
///
/// @param drafters the drafters, in the order in which they are asked
@Doc("Asks several drafters in turn; the first that proposes anything drafts the round.")
public record CascadeConfig(
        @Doc(
                        "The drafters, preferred ones first; at least two. A lookup proposes nothing where its match is too"
                                + " short or too unlikely.")
                List<DrafterChoice> drafters) {
    public CascadeConfig {
        drafters = List.copyOf(drafters);
        Require.that(
                drafters.size() >= 2, "drafters must list at least two, got %d", drafters.size());
    }
}
