package dev.outrider.drafting;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.function.BiFunction;
import java.util.function.Function;

/// A factory that is told everything by its constructor, so that a plugin lists its drafters without a class for each.
///
/// @param name       what `use:` in a configuration gives
/// @param configType the record that a variant's keys are read into
/// @param traitsOf   returns what drafts of a configuration look like; reads no file
/// @param opening    loads a drafter
public record DrafterFactory<C extends Record>(
        String name,
        Class<C> configType,
        Function<C, DrafterTraits> traitsOf,
        BiFunction<C, DrafterContext, Drafter> opening)
        implements Drafter.Factory<C> {
    @Override
    public DrafterTraits traits(C config) {
        return traitsOf.apply(config);
    }

    @Override
    public Drafter create(C config, DrafterContext context) {
        return opening.apply(config, context);
    }
}
