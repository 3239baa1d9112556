package dev.outrider.drafter.ensemble;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterChoice;
import java.util.List;

/// Configuration of the drafter `choice`.
///
/// @param drafters the parts
/// @param trials   share of the time that exploration may cost beyond the best choice, in `[0, 1)`
@Doc(
        "Several drafters of which each round asks one, or none: whichever gives the most tokens for its time.")
public record ChoiceConfig(
        @Doc(
                        "The drafters; at least one. Plain decoding is a choice beside them. The first one drafts as long as it is not known how"
                                + " long rounds take, as in a beam search.")
                List<DrafterChoice> drafters,
        @Default("0.01")
                @Doc(
                        "Share of the time that trials of other choices may cost beyond the best one, in [0, 1).")
                double trials) {
    public ChoiceConfig {
        drafters = List.copyOf(drafters);
        Require.that(!drafters.isEmpty(), "drafters must list at least one, got 0");
        Require.that(trials >= 0 && trials < 1, "trials %s must be in [0, 1)", trials);
    }
}
