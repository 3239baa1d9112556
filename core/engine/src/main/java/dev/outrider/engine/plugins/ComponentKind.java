package dev.outrider.engine.plugins;

import dev.outrider.spi.draft.DrafterFactory;
import dev.outrider.spi.rule.AcceptanceRuleFactory;
import dev.outrider.spi.run.DraftLengthPolicyFactory;
import dev.outrider.spi.run.RunListenerFactory;
import dev.outrider.spi.target.LogitsProcessorFactory;
import dev.outrider.spi.target.TargetFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
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
/// @param ofNumber    name of the component that a bare number means
public record ComponentKind<F>(
        String noun,
        String label,
        Class<? super F> factoryType,
        Function<InstalledPlugin, List<? extends F>> list,
        Function<F, String> name,
        Function<F, Class<? extends Record>> configType,
        Optional<String> ofNumber) {
    /// Target back ends.
    public static final ComponentKind<TargetFactory<?>> TARGET =
            new ComponentKind<>(
                    "target",
                    "target",
                    TargetFactory.class,
                    plugin -> plugin.plugin().targets(),
                    TargetFactory::name,
                    TargetFactory::configType,
                    Optional.empty());

    /// Drafters.
    public static final ComponentKind<DrafterFactory<?>> DRAFTER =
            new ComponentKind<>(
                    "drafter",
                    "drafter",
                    DrafterFactory.class,
                    plugin -> plugin.plugin().drafters(),
                    DrafterFactory::name,
                    DrafterFactory::configType,
                    Optional.empty());

    /// Acceptance rules.
    public static final ComponentKind<AcceptanceRuleFactory<?>> ACCEPTANCE_RULE =
            new ComponentKind<>(
                    "acceptance rule",
                    "rule",
                    AcceptanceRuleFactory.class,
                    plugin -> plugin.plugin().acceptanceRules(),
                    AcceptanceRuleFactory::name,
                    AcceptanceRuleFactory::configType,
                    Optional.empty());

    /// Ways to choose draft lengths.
    public static final ComponentKind<DraftLengthPolicyFactory<?>> DRAFT_LENGTH_POLICY =
            new ComponentKind<>(
                    "draft-length policy",
                    "draftLength",
                    DraftLengthPolicyFactory.class,
                    plugin -> plugin.plugin().draftLengthPolicies(),
                    DraftLengthPolicyFactory::name,
                    DraftLengthPolicyFactory::configType,
                    Optional.of("fixed"));

    /// Logits processors.
    public static final ComponentKind<LogitsProcessorFactory<?>> LOGITS_PROCESSOR =
            new ComponentKind<>(
                    "logits processor",
                    "processor",
                    LogitsProcessorFactory.class,
                    plugin -> plugin.plugin().logitsProcessors(),
                    LogitsProcessorFactory::name,
                    LogitsProcessorFactory::configType,
                    Optional.empty());

    /// Listeners to runs.
    public static final ComponentKind<RunListenerFactory<?>> LISTENER =
            new ComponentKind<>(
                    "listener",
                    "listener",
                    RunListenerFactory.class,
                    plugin -> plugin.plugin().listeners(),
                    RunListenerFactory::name,
                    RunListenerFactory::configType,
                    Optional.empty());

    /// A kind that plugins do not list: whoever provides one names it in `META-INF/services`, on the class path or in the jar of
    /// a plugin. For [PluginRegistry#services].
    ///
    /// @param noun       what a user calls one
    /// @param type       the interface providers implement
    /// @param name       a service's name
    /// @param configType a service's configuration record
    @SuppressWarnings("unchecked") // a service loader gives services of the type it was asked for
    public static <S> ComponentKind<S> service(
            String noun,
            Class<? super S> type,
            Function<S, String> name,
            Function<S, Class<? extends Record>> configType) {
        return new ComponentKind<>(
                noun,
                noun,
                type,
                plugin -> {
                    var found = new ArrayList<S>();
                    ServiceLoader.load(type, plugin.plugin().getClass().getClassLoader())
                            .forEach(service -> found.add((S) service));
                    return found;
                },
                name,
                configType,
                Optional.empty());
    }

    /// Every kind that plugins list, in the order of lists.
    public static List<ComponentKind<?>> all() {
        return List.of(
                TARGET, DRAFTER, ACCEPTANCE_RULE, DRAFT_LENGTH_POLICY, LOGITS_PROCESSOR, LISTENER);
    }
}
