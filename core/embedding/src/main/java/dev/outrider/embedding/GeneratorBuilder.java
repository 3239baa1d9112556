package dev.outrider.embedding;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.config.ProgramComponent;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.check.LossyPairings;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Overlap;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.hub.Hub;
import dev.outrider.hub.HubPaths;
import dev.outrider.hub.HubSettings;
import dev.outrider.hub.PullListener;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a generator is to be. Every method changes this builder and returns it; [#open] may be called more than once, and every
/// generator loads models of its own. Confined to one thread.
public final class GeneratorBuilder {
    private static final String SOURCE = "the generator";

    private final ProgramComponent target;
    private Optional<ProgramComponent> drafter = Optional.empty();
    private Optional<ProgramComponent> rule = Optional.empty();
    private Optional<Path> plugins = Optional.empty();
    private SamplingPolicy sampling = SamplingPolicy.argmax();
    private DraftLengthPlan lengths = FixedLength.drafterLimit();
    private OnFailure onFailure = OnFailure.STOP;
    private Overlap overlap = Overlap.NONE;
    private List<String> stop = List.of();
    private boolean allowLossy;
    private long seed;

    GeneratorBuilder(String target, Map<String, ?> settings) {
        this.target = new ProgramComponent("target", target, settings);
    }

    /// Guess tokens with a drafter; without one, decoding is plain.
    ///
    /// @param name     of a drafter, such as `small-model`
    /// @param settings its keys as in YAML
    public GeneratorBuilder drafter(String name, Map<String, ?> settings) {
        drafter = Optional.of(new ProgramComponent("drafter", name, settings));
        return this;
    }

    /// Judge the guesses with a rule at its defaults; without a rule, the lossless one that fits the drafter is taken.
    ///
    /// @param name of an acceptance rule, such as `token`
    public GeneratorBuilder rule(String name) {
        return rule(name, Map.of());
    }

    /// Judge the guesses with a rule.
    ///
    /// @param name     of an acceptance rule, such as `typical`
    /// @param settings its keys as in YAML
    public GeneratorBuilder rule(String name, Map<String, ?> settings) {
        rule = Optional.of(new ProgramComponent("rule", name, settings));
        return this;
    }

    /// How tokens are chosen; argmax unless this is called.
    public GeneratorBuilder sampling(SamplingPolicy policy) {
        sampling = policy;
        return this;
    }

    /// How many tokens a round drafts; the drafter's own limit unless this is called.
    public GeneratorBuilder draftLength(DraftLengthPlan plan) {
        lengths = plan;
        return this;
    }

    /// Texts that end a generation and are not part of it; none unless this is called.
    ///
    /// @throws IllegalArgumentException if one is empty
    public GeneratorBuilder stop(String... texts) {
        stop = List.of(texts);
        if (stop.contains("")) {
            throw new IllegalArgumentException("a stop string must not be empty");
        }
        return this;
    }

    /// The seed of every random decision; 0 unless this is called.
    public GeneratorBuilder seed(long value) {
        seed = value;
        return this;
    }

    /// Let a pairing run whose output is not the target's. [Generator#losslessness] then says `LOSSY`.
    public GeneratorBuilder allowLossy() {
        allowLossy = true;
        return this;
    }

    /// Let the drafter work for the next round on a thread of its own while the target verifies this one. The output is the same. A
    /// drafter that has nothing to do then is refused with `CAPABILITY_MISSING`.
    public GeneratorBuilder overlap() {
        return overlap(Overlap.BRANCHES);
    }

    /// As [#overlap()], for so many outcomes of a round at a time.
    ///
    /// @param branches 1 to 256; 8 unless it is given
    public GeneratorBuilder overlap(int branches) {
        overlap = Overlap.BESIDE.branches(branches);
        return this;
    }

    /// What becomes of a generation whose drafter or rule fails; it ends with the failure unless this is called.
    public GeneratorBuilder onDrafterFailure(OnFailure what) {
        onFailure = what;
        return this;
    }

    /// Take components from a directory too, with a folder for each plugin. What is on the class path is always there.
    public GeneratorBuilder plugins(Path directory) {
        plugins = Optional.of(directory);
        return this;
    }

    /// Check everything, then load the models. Nothing is loaded if a setting is wrong or the pairing is refused.
    ///
    /// @return the generator, which the caller closes
    /// @throws OutriderException `CONFIG_INVALID` with everything that is wrong with names and settings; `LOSSY_NOT_ALLOWED` or
    ///     `CAPABILITY_MISSING` for a pairing of drafter, rule and sampling that is not exact or cannot work; `PLUGIN_INVALID` and
    ///     its like for plugins; `HUB_NOT_FOUND` and its like for a model that is given by its name on the hub and not on this
    ///     machine; and what loading throws, such as `CHECKPOINT_NOT_FOUND`
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
                            ProcessorChain.none(),
                            overlap);
            decoder.requireOverlap(sampling);
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
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
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
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "there is no directory '%s' to take plugins from".formatted(directory),
                    "Correct the path given to plugins(...), or leave it out.");
        }
        return PluginRegistry.load(loader, directory);
    }
}
