package dev.outrider.engine.plugins;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;

/// A kind of component that plugins bring. A new kind is an entry here and a list in
/// [dev.outrider.spi.OutriderPlugin]: the registry,
/// configurations, `plugins`, `doctor` and the reference page take it from [#all()].
///
/// @param noun        the name that users read: `acceptance rule`
/// @param label       the key of a component in configurations, and its name in lists: `rule`
/// @param factoryType the type of its factories; type argument of components in configuration records
/// @param list        those of a plugin
public record ComponentKind<F extends ComponentFactory<?>>(
        String noun,
        String label,
        Class<? super F> factoryType,
        Function<OutriderPlugin, List<? extends F>> list) {
    /// Target back ends.
    public static final ComponentKind<TargetModel.Factory<?>> TARGET =
            new ComponentKind<>(
                    "target", "target", TargetModel.Factory.class, OutriderPlugin::targets);

    /// Drafters.
    public static final ComponentKind<Drafter.Factory<?>> DRAFTER =
            new ComponentKind<>(
                    "drafter", "drafter", Drafter.Factory.class, OutriderPlugin::drafters);

    /// Acceptance rules.
    public static final ComponentKind<AcceptanceRule.Factory<?>> ACCEPTANCE_RULE =
            new ComponentKind<>(
                    "acceptance rule",
                    "rule",
                    AcceptanceRule.Factory.class,
                    OutriderPlugin::acceptanceRules);

    /// Ways to choose draft lengths.
    public static final ComponentKind<DraftLengthPolicy.Factory<?>> DRAFT_LENGTH_POLICY =
            new ComponentKind<>(
                    "draft-length policy",
                    "draftLength",
                    DraftLengthPolicy.Factory.class,
                    OutriderPlugin::draftLengthPolicies);

    /// Logits processors.
    public static final ComponentKind<LogitsProcessor.Factory<?>> LOGITS_PROCESSOR =
            new ComponentKind<>(
                    "logits processor",
                    "processor",
                    LogitsProcessor.Factory.class,
                    OutriderPlugin::logitsProcessors);

    /// Listeners to runs.
    public static final ComponentKind<RunListener.Factory<?>> LISTENER =
            new ComponentKind<>(
                    "listener", "listener", RunListener.Factory.class, OutriderPlugin::listeners);

    /// Returns the name of the component, with one key, that a configuration means by a bare number;
    /// empty if a number is not allowed.
    public Optional<String> ofNumber() {
        return factoryType == DraftLengthPolicy.Factory.class
                ? Optional.of("fixed")
                : Optional.empty();
    }

    /// A kind that plugins do not list: a provider is named in `META-INF/services`, on the class path or in the jar of
    /// a plugin. For [PluginRegistry#services].
    ///
    /// @param noun the name that users read
    /// @param type the interface providers implement
    @SuppressWarnings("unchecked") // a service loader gives services of the type it was asked for
    public static <S extends ComponentFactory<?>> ComponentKind<S> service(
            String noun, Class<? super S> type) {
        return new ComponentKind<>(
                noun,
                noun,
                type,
                plugin -> {
                    var found = new ArrayList<S>();
                    ServiceLoader.load(type, plugin.getClass().getClassLoader())
                            .forEach(service -> found.add((S) service));
                    return found;
                });
    }

    /// Returns the plural of the noun.
    public String plural() {
        if (noun.endsWith("y")) {
            return noun.substring(0, noun.length() - 1) + "ies";
        }
        return noun + (noun.endsWith("ch") ? "es" : "s");
    }

    /// Every kind that plugins list, in the order of lists.
    public static List<ComponentKind<?>> all() {
        return List.of(
                TARGET, DRAFTER, ACCEPTANCE_RULE, DRAFT_LENGTH_POLICY, LOGITS_PROCESSOR, LISTENER);
    }
}
