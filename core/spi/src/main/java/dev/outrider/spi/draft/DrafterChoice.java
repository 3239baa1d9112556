package dev.outrider.spi.draft;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A drafter in the configuration of another drafter, for drafters that use others. In YAML it is written
/// like any component: `use: <name>`, then the named drafter's own keys.
///
/// Immutable; contains the configuration, not a loaded drafter.
///
/// @param use     the factory's name
/// @param factory the factory
/// @param config  an instance of the record type that the factory declares
@API(status = Status.EXPERIMENTAL, since = "2")
public record DrafterChoice(String use, Drafter.Factory<?> factory, Record config) {
    /// Checks that the configuration is of the factory's type.
    public DrafterChoice {
        if (!factory.configType().isInstance(config)) {
            throw new IllegalArgumentException(
                    "the configuration of drafter '%s' is a %s, expected a %s"
                            .formatted(
                                    use,
                                    config.getClass().getName(),
                                    factory.configType().getName()));
        }
    }

    /// {@return the traits of the drafter} Does no I/O.
    public DrafterTraits traits() {
        return traits(factory, config);
    }

    /// Loads the drafter. The caller closes it.
    ///
    /// @param context the objects that the drafter may use
    /// @return the drafter
    /// @throws dev.outrider.spi.error.OutriderException as the drafter's factory throws it
    public Drafter create(DrafterContext context) {
        return create(factory, config, context);
    }

    private static <C extends Record> DrafterTraits traits(
            Drafter.Factory<C> factory, Record config) {
        return factory.traits(factory.configType().cast(config));
    }

    private static <C extends Record> Drafter create(
            Drafter.Factory<C> factory, Record config, DrafterContext context) {
        return factory.create(factory.configType().cast(config), context);
    }
}
