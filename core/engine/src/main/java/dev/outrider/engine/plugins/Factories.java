package dev.outrider.engine.plugins;

import dev.outrider.engine.plugins.PluginContext.PluginClassLoader;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks factories for the components that configurations name: the one place where they are called. Whatever goes wrong there is
/// said of the component and its plugin.
///
/// Every method throws [OutriderException]: what the factory throws of these, else `PLUGIN_FAILED`, `PLUGIN_INVALID` for classes
/// that are not there, `PLUGIN_INCOMPATIBLE` for classes of another version. Settings are an instance of the record type that the
/// factory declares.
public final class Factories {
    private Factories() {}

    /// The target, loaded.
    public static TargetModel target(TargetModel.Factory<?> factory, Record config) {
        return open(factory, config);
    }

    /// What a drafter would propose, before it is loaded.
    public static DrafterTraits traits(DrafterChoice chosen) {
        return made(ComponentKind.DRAFTER, chosen.factory(), "traits", chosen::traits);
    }

    /// The drafter, loaded.
    public static Drafter drafter(DrafterChoice chosen, DrafterContext context) {
        return made(
                ComponentKind.DRAFTER, chosen.factory(), "create", () -> chosen.create(context));
    }

    /// What a drafter proposes once it is loaded.
    public static DrafterTraits traits(DrafterChoice chosen, Drafter loaded) {
        made(
                ComponentKind.DRAFTER,
                chosen.factory(),
                "hiddenStates() of what it made",
                loaded::hiddenStates);
        return made(
                ComponentKind.DRAFTER,
                chosen.factory(),
                "traits() of what it made",
                loaded::traits);
    }

    /// The acceptance rule, whose traits can be read.
    public static AcceptanceRule rule(AcceptanceRule.Factory<?> factory, Record config) {
        var rule = create(factory, config);
        made(ComponentKind.ACCEPTANCE_RULE, factory, "traits() of what it made", rule::traits);
        return rule;
    }

    /// A policy that has seen nothing yet.
    public static DraftLengthPolicy lengths(DraftLengthPolicy.Factory<?> factory, Record config) {
        return start(factory, config);
    }

    /// Makes the policies of a variant's sequences, which may share what they learned.
    public static Supplier<DraftLengthPolicy> sequences(
            DraftLengthPolicy.Factory<?> factory, Record config) {
        var sequences = lent(factory, config);
        return () -> made(ComponentKind.DRAFT_LENGTH_POLICY, factory, "sequences", sequences::get);
    }

    private static <C extends Record> Supplier<DraftLengthPolicy> lent(
            DraftLengthPolicy.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        return made(
                ComponentKind.DRAFT_LENGTH_POLICY,
                factory,
                "sequences",
                () -> factory.sequences(typed));
    }

    /// The logits processor.
    public static LogitsProcessor processor(
            LogitsProcessor.Factory<?> factory, Record config, TargetModel target) {
        return create(factory, config, target);
    }

    /// The listener of a run whose results go to a folder.
    public static RunListener listener(RunListener.Factory<?> factory, Record config, Path folder) {
        return open(factory, config, folder);
    }

    private static <C extends Record> TargetModel open(
            TargetModel.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        return made(ComponentKind.TARGET, factory, "open", () -> factory.open(typed));
    }

    private static <C extends Record> AcceptanceRule create(
            AcceptanceRule.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        return made(ComponentKind.ACCEPTANCE_RULE, factory, "create", () -> factory.create(typed));
    }

    private static <C extends Record> DraftLengthPolicy start(
            DraftLengthPolicy.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        return made(
                ComponentKind.DRAFT_LENGTH_POLICY, factory, "start", () -> factory.start(typed));
    }

    private static <C extends Record> LogitsProcessor create(
            LogitsProcessor.Factory<C> factory, Record config, TargetModel target) {
        C typed = factory.configType().cast(config);
        return made(
                ComponentKind.LOGITS_PROCESSOR,
                factory,
                "create",
                () -> factory.create(typed, target));
    }

    private static <C extends Record> RunListener open(
            RunListener.Factory<C> factory, Record config, Path folder) {
        C typed = factory.configType().cast(config);
        return made(ComponentKind.LISTENER, factory, "open", () -> factory.open(typed, folder));
    }

    /// What a factory of any kind answers, with its class loader as the thread's.
    ///
    /// @param what how errors call the question, such as `create`
    public static <T> T made(
            ComponentKind<?> kind, ComponentFactory<?> factory, String what, Supplier<T> call) {
        var who = "%s '%s'%s".formatted(kind.noun(), factory.name(), origin(factory));
        return Optional.ofNullable(
                        PluginCalls.call(who, what, () -> PluginContext.during(factory, call)))
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.PLUGIN_FAILED,
                                "%s returned null from %s".formatted(who, what),
                                "Report it to whoever wrote it."));
    }

    private static String origin(ComponentFactory<?> factory) {
        return factory.getClass().getClassLoader() instanceof PluginClassLoader loader
                ? " of " + loader.origin()
                : "";
    }
}
