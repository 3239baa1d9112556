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

    /// {@return the target's hidden states it reads; empty when it needs none}
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
        /// {@return what a drafter with this configuration would produce} Does no I/O.
        ///
        /// @param config what the configuration says
        DrafterTraits traits(C config);

        /// Loads a drafter. Files that the configuration names are read here; what is wrong with them is an error with a code.
        ///
        /// @param config what the configuration says
        /// @param context what the drafter may use
        /// @return the drafter, which the caller closes
        /// @throws dev.outrider.spi.error.OutriderException if its files are missing, broken, or made for another target
        Drafter create(C config, DrafterContext context);

        /// {@return a factory made of functions, for drafters that need no class of their own for it}
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
