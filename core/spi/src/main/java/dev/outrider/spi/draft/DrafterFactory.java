package dev.outrider.spi.draft;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Makes drafters from configuration. Thread-safe.
///
/// @param <C> the record a configuration binds to
@API(status = Status.STABLE, since = "2")
public interface DrafterFactory<C extends Record> {
    /// {@return the name configurations use}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();

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
}
