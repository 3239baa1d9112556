package dev.outrider.spi.draft;

import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A loaded drafter: weights shared by any number of sequences. Thread-safe.
@API(status = Status.STABLE, since = "2")
public interface Drafter extends AutoCloseable {
    /// {@return its traits; equal to the factory's answer for its configuration}
    DrafterTraits traits();

    /// {@return the target's hidden states it reads; empty if it needs none}
    default Set<HiddenState> hiddenStates() {
        return Set.of();
    }

    /// {@return number of parameters, for cost models; 0 for drafters without a model}
    default long parameters() {
        return 0;
    }

    /// {@return lower-case hexadecimal digest of the files it drafts from, such as weights or a datastore; empty without such files}
    /// Results name it.
    default String digest() {
        return "";
    }

    /// Starts drafting for one sequence.
    ///
    /// @param request capacity and sampling of the sequence
    /// @return the session, which the caller closes
    DraftSession open(DraftRequest request);

    /// Releases weights. Sessions must be closed first. Idempotent.
    @Override
    void close();

    /// Makes drafters from configuration. Thread-safe.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// {@return the traits of a drafter with this configuration} Does no I/O.
        ///
        /// @param config the bound configuration
        DrafterTraits traits(C config);

        /// Loads a drafter. Files of the configuration are read here; a mistake in them is an error with a code.
        ///
        /// @param config the bound configuration
        /// @param context the objects that the drafter may use
        /// @return the drafter, which the caller closes
        /// @throws dev.outrider.spi.error.OutriderException if its files are missing, broken, or made for another target
        Drafter create(C config, DrafterContext context);

        /// {@return a factory made of functions, for drafters that need no factory class}
        ///
        /// @param <C>        the record a configuration binds to
        /// @param name       the name in configurations
        /// @param configType the record a configuration binds to
        /// @param traits     as [#traits]
        /// @param create     as [#create]
        static <C extends Record> Factory<C> of(
                String name,
                Class<C> configType,
                Function<C, DrafterTraits> traits,
                BiFunction<C, DrafterContext, Drafter> create) {
            return new Factory<>() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public Class<C> configType() {
                    return configType;
                }

                @Override
                public DrafterTraits traits(C config) {
                    return traits.apply(config);
                }

                @Override
                public Drafter create(C config, DrafterContext context) {
                    return create.apply(config, context);
                }
            };
        }
    }
}
