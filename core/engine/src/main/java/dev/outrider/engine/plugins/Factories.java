package dev.outrider.engine.plugins;

import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks factories for the components that configurations name. Factories are called here only, so that every error
/// names the component and its plugin.
///
/// Every method throws [OutriderException][dev.outrider.spi.error.OutriderException]: the factory's own, else `PLUGIN_FAILED`,
/// `PLUGIN_INVALID` for classes that are missing, `PLUGIN_INCOMPATIBLE` for classes of another version. Settings are an instance
/// of the record type that the factory declares.
public final class Factories {
    private Factories() {}

    /// Returns the target, loaded.
    public static <C extends Record> TargetModel target(
            TargetModel.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        return made(ComponentKind.TARGET, factory, "open", () -> factory.open(typed));
    }

    /// Returns the traits of a drafter before it is loaded.
    public static DrafterTraits traits(DrafterChoice chosen) {
        return made(ComponentKind.DRAFTER, chosen.factory(), "traits", chosen::traits);
    }

    /// Returns the drafter, loaded.
    public static Drafter drafter(DrafterChoice chosen, DrafterContext context) {
        return made(
                ComponentKind.DRAFTER, chosen.factory(), "create", () -> chosen.create(context));
    }

    /// Returns the traits of a loaded drafter, whose hidden states can be read too.
    public static DrafterTraits traits(DrafterChoice chosen, Drafter loaded) {
        var factory = chosen.factory();
        var drafter = ComponentKind.DRAFTER;
        made(drafter, factory, "hiddenStates() of what it made", loaded::hiddenStates);
        return made(drafter, factory, "traits() of what it made", loaded::traits);
    }

    /// Returns the acceptance rule, whose traits can be read.
    public static <C extends Record> AcceptanceRule rule(
            AcceptanceRule.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        var rule =
                made(ComponentKind.ACCEPTANCE_RULE, factory, "create", () -> factory.create(typed));
        made(ComponentKind.ACCEPTANCE_RULE, factory, "traits() of what it made", rule::traits);
        return rule;
    }

    /// Returns a policy that has seen no round.
    public static <C extends Record> DraftLengthPolicy lengths(
            DraftLengthPolicy.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        return made(
                ComponentKind.DRAFT_LENGTH_POLICY, factory, "start", () -> factory.start(typed));
    }

    /// Returns a supplier of the policies of a variant's sequences, which may share what they learned.
    public static <C extends Record> Supplier<DraftLengthPolicy> sequences(
            DraftLengthPolicy.Factory<C> factory, Record config) {
        C typed = factory.configType().cast(config);
        var kind = ComponentKind.DRAFT_LENGTH_POLICY;
        var sequences = made(kind, factory, "sequences", () -> factory.sequences(typed));
        return () -> made(kind, factory, "sequences", sequences::get);
    }

    /// Returns the logits processor.
    public static <C extends Record> LogitsProcessor processor(
            LogitsProcessor.Factory<C> factory, Record config, TargetModel target) {
        C typed = factory.configType().cast(config);
        return made(
                ComponentKind.LOGITS_PROCESSOR,
                factory,
                "create",
                () -> factory.create(typed, target));
    }

    /// Returns the listener of a run whose results go to a folder.
    public static <C extends Record> RunListener listener(
            RunListener.Factory<C> factory, Record config, Path folder) {
        C typed = factory.configType().cast(config);
        return made(ComponentKind.LISTENER, factory, "open", () -> factory.open(typed, folder));
    }

    /// Returns the answer of a factory of any kind, which is called with its class loader as the thread's.
    ///
    /// @param what the question in errors, such as `create`
    public static <T> T made(
            ComponentKind<?> kind, ComponentFactory<?> factory, String what, Supplier<T> call) {
        var label = "%s '%s'%s".formatted(kind.noun(), factory.name(), origin(factory));
        return Optional.ofNullable(
                        PluginCalls.call(label, what, () -> PluginContext.during(factory, call)))
                .orElseThrow(() ->
                        ErrorCode.PLUGIN_FAILED.error(
                                "%s returned null from %s".formatted(label, what),
                                "Report it to its author."));
    }

    private static String origin(ComponentFactory<?> factory) {
        return factory.getClass().getClassLoader() instanceof PluginClassLoader loader
                ? " of " + loader.origin()
                : "";
    }
}
