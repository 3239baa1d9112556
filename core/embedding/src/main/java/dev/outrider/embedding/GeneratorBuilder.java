package dev.outrider.embedding;

import dev.outrider.common.Require;
import dev.outrider.config.Component;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.config.ProgramComponent;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.hub.Hub;
import dev.outrider.hub.HubPaths;
import dev.outrider.hub.HubSettings;
import dev.outrider.hub.PullListener;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The settings of a generator. Every method changes this builder and returns it; [#open] may be
/// called more than once, and every generator loads its own models. Confined to one thread.
public final class GeneratorBuilder {
    private static final String SOURCE = "the generator";

    private final ProgramComponent target;
    private Optional<ProgramComponent> drafter = Optional.empty();
    private Optional<ProgramComponent> rule = Optional.empty();
    private Optional<Path> plugins = Optional.empty();
    private SamplingPolicy sampling = SamplingPolicy.argmax();
    private DraftLengthPlan lengths = FixedLength.drafterLimit();
    private OnFailure onFailure = OnFailure.STOP;
    private List<String> stop = List.of();
    private boolean allowLossy;
    private long seed;

    GeneratorBuilder(String target, Map<String, ?> settings) {
        this.target = new ProgramComponent("target", target, settings);
    }

    /// Sets the drafter; without one, decoding is plain.
    ///
    /// @param name     of a drafter, such as `small-model`
    /// @param settings its keys as in YAML
    public GeneratorBuilder drafter(String name, Map<String, ?> settings) {
        drafter = Optional.of(new ProgramComponent("drafter", name, settings));
        return this;
    }

    /// Sets a rule with default settings; without a rule, the lossless one that fits the drafter is
    /// used.
    ///
    /// @param name of an acceptance rule, such as `token`
    public GeneratorBuilder rule(String name) {
        return rule(name, Map.of());
    }

    /// Sets a rule.
    ///
    /// @param name     of an acceptance rule, such as `typical`
    /// @param settings its keys as in YAML
    public GeneratorBuilder rule(String name, Map<String, ?> settings) {
        rule = Optional.of(new ProgramComponent("rule", name, settings));
        return this;
    }

    /// Sets the sampling policy; the default is argmax.
    public GeneratorBuilder sampling(SamplingPolicy policy) {
        sampling = policy;
        return this;
    }

    /// Sets the draft length; the default is the drafter's own limit.
    public GeneratorBuilder draftLength(DraftLengthPlan plan) {
        lengths = plan;
        return this;
    }

    /// Sets texts that end a generation and are not part of it; the default is none.
    ///
    /// @throws IllegalArgumentException if one is empty
    public GeneratorBuilder stop(String... texts) {
        stop = List.of(texts);
        Require.that(!stop.contains(""), "a stop string must not be empty");
        return this;
    }

    /// Sets the seed of every random decision; the default is 0.
    public GeneratorBuilder seed(long value) {
        seed = value;
        return this;
    }

    /// Allows a pairing whose output does not follow the target. [Generator#losslessness] is then
    /// `LOSSY`.
    public GeneratorBuilder allowLossy() {
        allowLossy = true;
        return this;
    }

    /// Sets the action after a failure of drafter or rule; by default the generation ends with the
    /// failure.
    public GeneratorBuilder onDrafterFailure(OnFailure what) {
        onFailure = what;
        return this;
    }

    /// Adds plugins from a directory, with a folder for each plugin. Components on the class path
    /// are always available.
    public GeneratorBuilder plugins(Path directory) {
        plugins = Optional.of(directory);
        return this;
    }

    /// Checks everything, then loads the models. Nothing is loaded if a setting is wrong or the
    /// pairing is refused.
    ///
    /// @return the generator, which the caller closes
    /// @throws OutriderException `CONFIG_INVALID` with all wrong names and settings;
    ///     `LOSSY_NOT_ALLOWED` or `CAPABILITY_MISSING` for a pairing of drafter, rule and sampling
    ///     that is not exact or cannot work; `PLUGIN_INVALID` and other errors of plugins;
    ///     `HUB_NOT_FOUND` and other errors for a model that is given by its name on the hub and is
    ///     missing on this machine; and errors of loading, such as `CHECKPOINT_NOT_FOUND`
    public Generator open() {
        var hub = new HubPaths(GeneratorBuilder::hub);
        var checked = choices(hub);
        var pairing = pairing(checked.config());
        var choices =
                hub.fetchMissing(List.of(checked.effective()), PullListener.none(), () -> false)
                        ? choices(hub).config()
                        : checked.config();
        var models = LoadedModels.open(choices.target().factory(), choices.target().config());
        try {
            var decoder =
                    new Decoder(
                            models.target(),
                            choices.drafter().map(models::drafter),
                            pairing.rule(),
                            lengths,
                            false,
                            System::nanoTime,
                            onFailure,
                            ProcessorChain.none());
            return new Generator(models, decoder, pairing, stop, seed);
        } catch (RuntimeException | Error e) {
            models.close();
            throw e;
        }
    }

    private static Hub hub() {
        var home = Path.of(System.getProperty("user.home", "."));
        return new Hub(HubSettings.of(System.getenv(), home));
    }

    private Loaded<Choices> choices(HubPaths hub) {
        var given =
                Stream.of(Optional.of(target), drafter, rule).flatMap(Optional::stream).toList();
        return new ConfigLoader(registry(), Path.of("").toAbsolutePath(), hub)
                .components(given, SOURCE, Choices.class);
    }

    private Pairing pairing(Choices choices) {
        var chosen = choices.rule().map(each -> Factories.rule(each.factory(), each.config()));
        if (choices.drafter().isPresent()) {
            return Pairing.of(
                    Factories.traits(choices.drafter().get()),
                    chosen,
                    sampling,
                    LossyPairings.inProgram(allowLossy));
        }
        if (rule.isPresent()) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "acceptance rule '%s' judges drafts, and there is no drafter"
                            .formatted(rule.get().use()),
                    "Add drafter(...), or leave the rule out to decode plainly.");
        }
        return Pairing.plain(sampling);
    }

    private PluginRegistry registry() {
        var loader = Outrider.class.getClassLoader();
        if (plugins.isEmpty()) {
            return PluginRegistry.onClassPath(loader);
        }
        var directory = plugins.get();
        if (!Files.isDirectory(directory)) {
            throw ErrorCode.PLUGIN_INVALID.error(
                    "there is no directory '%s' to take plugins from".formatted(directory),
                    "Correct the path given to plugins(...), or leave it out.");
        }
        return PluginRegistry.load(loader, directory);
    }

    /// The components that a program chose, with their settings bound.
    ///
    /// @param target  the target
    /// @param drafter the drafter; empty for plain decoding
    /// @param rule    the rule; empty for the lossless one that fits the drafter
    record Choices(
            Component<TargetModel.Factory<?>> target,
            Optional<DrafterChoice> drafter,
            Optional<Component<AcceptanceRule.Factory<?>>> rule) {}
}
