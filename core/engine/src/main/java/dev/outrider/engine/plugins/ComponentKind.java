package dev.outrider.engine.plugins;

import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.TargetFactory;
import java.util.List;
import java.util.function.Function;

/// A kind of component that plugins bring. A new kind is an entry here and a list in
/// [dev.outrider.spi.OutriderPlugin]: the registry,
/// configurations, `plugins`, `doctor` and the reference page take it from [#all()].
///
/// @param noun        what a user calls one: `acceptance rule`
/// @param label       the key that names one in configurations, and how lists call it: `rule`
/// @param factoryType what makes one; type argument of components in configuration records
/// @param list        those of a plugin
/// @param name        a factory's name
/// @param configType  a factory's configuration record
public record ComponentKind<F>(
        String noun,
        String label,
        Class<? super F> factoryType,
        Function<InstalledPlugin, List<? extends F>> list,
        Function<F, String> name,
        Function<F, Class<? extends Record>> configType) {
    /// Target back ends.
    public static final ComponentKind<TargetFactory<?>> TARGET =
            new ComponentKind<>(
                    "target",
                    "target",
                    TargetFactory.class,
                    plugin -> plugin.plugin().targets(),
                    TargetFactory::name,
                    TargetFactory::configType);

    /// Drafters.
    public static final ComponentKind<DrafterFactory<?>> DRAFTER =
            new ComponentKind<>(
                    "drafter",
                    "drafter",
                    DrafterFactory.class,
                    plugin -> plugin.plugin().drafters(),
                    DrafterFactory::name,
                    DrafterFactory::configType);

    /// Acceptance rules.
    public static final ComponentKind<AcceptanceRuleFactory<?>> ACCEPTANCE_RULE =
            new ComponentKind<>(
                    "acceptance rule",
                    "rule",
                    AcceptanceRuleFactory.class,
                    plugin -> plugin.plugin().acceptanceRules(),
                    AcceptanceRuleFactory::name,
                    AcceptanceRuleFactory::configType);

    /// Every kind, in the order of lists.
    public static List<ComponentKind<?>> all() {
        return List.of(TARGET, DRAFTER, ACCEPTANCE_RULE);
    }
}
