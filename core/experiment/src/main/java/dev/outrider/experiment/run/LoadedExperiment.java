package dev.outrider.experiment.run;

import dev.outrider.common.NearestName;
import dev.outrider.common.ShapedPath;
import dev.outrider.common.Ticker;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.config.Component;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.EffectiveConfig.NamedPath;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.run.VariantList.Checked;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An experiment that is ready to run: its models are loaded, and every variant can generate. Owns the models.
///
/// Combinations that are not exact, and combinations that cannot work, are refused before anything is loaded.
public final class LoadedExperiment implements AutoCloseable {
    private final LoadedModels models;
    private final List<Variant> variants;

    private LoadedExperiment(
            ExperimentConfig config,
            Supplier<LoadedModels> loading,
            Ticker ticker,
            boolean checked) {
        var mistakes = new Mistakes();
        List<Checked> variants = checked(config, _ -> Optional.empty(), mistakes);
        mistakes.raise();
        this.models = loading.get();
        try {
            // Checked processors are called twice, to check that they are functions of their
            // arguments.
            var named = config.processors().stream().map(this::processor).toList();
            var operators = config.operators().orElseGet(SamplingOperators::none);
            var processors =
                    new ProcessorChain(
                            named, checked, operators(operators, models.target().description()));
            var list =
                    new VariantList(
                            models,
                            processors,
                            config.protocol().onDrafterFailure(),
                            ticker,
                            checked);
            list.plain(config.sampling());
            variants.forEach(each -> mistakes.during(label(config, each), () -> list.add(each)));
            mistakes.raise();
            this.variants = list.variants();
        } catch (RuntimeException e) {
            models.close();
            throw e;
        }
    }

    private ProcessorChain.Named processor(Component<LogitsProcessor.Factory<?>> each) {
        var made = Factories.processor(each.factory(), each.config(), models.target());
        return new ProcessorChain.Named(each.use(), made);
    }

    private static OperatorChain operators(
            SamplingOperators settings, TargetDescription description) {
        try {
            return OperatorChain.of(
                    settings, description.vocabularySize(), description.endOfSequence());
        } catch (IllegalArgumentException e) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "%s: %s".formatted(description.name(), e.getMessage()),
                    "Change 'operators'.",
                    e);
        }
    }

    /// Checks and loads an experiment.
    ///
    /// @param ticker  clock of stage times
    /// @param checked whether every draft and verdict is checked against its contract; slows measurements down
    /// @throws OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING, UNKNOWN_COMPONENT, or what loading throws
    public static LoadedExperiment load(ExperimentConfig config, Ticker ticker, boolean checked) {
        return new LoadedExperiment(
                config,
                () -> LoadedModels.open(config.target().factory(), config.target().config()),
                ticker,
                checked);
    }

    /// As [#load], for a target that is loaded already, with the same settings or others, and stays the caller's.
    ///
    /// @throws OutriderException as [#load]
    public static LoadedExperiment around(
            TargetModel target, ExperimentConfig config, Ticker ticker) {
        return new LoadedExperiment(config, () -> LoadedModels.around(target), ticker, false);
    }

    /// Checks an experiment as far as possible without loading anything.
    ///
    /// @throws OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING or UNKNOWN_COMPONENT
    public static void check(ExperimentConfig config) {
        var mistakes = new Mistakes();
        checked(config, _ -> Optional.empty(), mistakes);
        mistakes.raise();
    }

    /// Checks an experiment and reads its prompts, so that no model is loaded for a run that would fail. All mistakes are in one
    /// exception; those that only loaded models show are told together by the constructor.
    ///
    /// @param origins gives the place of a variant in the file for messages
    /// @throws OutriderException as [#check], if prompts cannot be read, CHECKPOINT_NOT_FOUND
    public static void checkWithPrompts(ExperimentConfig config, EffectiveConfig origins) {
        var mistakes = new Mistakes();
        checked(config, index -> origins.place("variants", index), mistakes);
        mistakes.during("", () -> requirePrompts(config));
        missing(origins).forEach(each -> mistakes.add(notFound(each)));
        mistakes.raise();
    }

    private static void requirePrompts(ExperimentConfig config) {
        int prompts = PromptReader.read(config.prompts()).size();
        // A conversation may become several prompts, never fewer than one.
        if (!(config.prompts() instanceof PromptSource.FromFile file
                && file.turns() == PromptSource.Turns.ALL)) {
            requireWholeBatch(prompts, config.batch());
        }
    }

    /// Every value of a key `path` in a target or drafter must exist, without the shape that may follow a model's name after `@`.
    private static List<NamedPath> missing(EffectiveConfig origins) {
        return Stream.of("target", "variants")
                .flatMap(part -> origins.paths(part).stream())
                .filter(each ->
                        each.key().endsWith(".path") && !Files.exists(unshaped(each.path())))
                .toList();
    }

    private static OutriderException notFound(NamedPath missing) {
        var hint = NearestName.hint(unshaped(missing.path()));
        return ErrorCode.CHECKPOINT_NOT_FOUND.error(
                "there is no '%s' (%s)%s".formatted(missing.path(), missing.place(), hint),
                "Correct the path; those in a file are relative to the file.");
    }

    private static Path unshaped(Path path) {
        return ShapedPath.of(path).map(ShapedPath::source).orElse(path);
    }

    private static List<Checked> checked(
            ExperimentConfig config, IntFunction<Optional<String>> places, Mistakes mistakes) {
        List<Checked> checked = new ArrayList<>();
        for (int index = 0; index < config.variants().size(); index++) {
            var variant = config.variants().get(index);
            var place = places.apply(index).map(" (%s)"::formatted).orElse("");
            mistakes.during(
                    "variants[%d] '%s'%s".formatted(index, variant.name(), place),
                    () -> checked.add(Checked.of(variant, config)));
        }
        return checked;
    }

    /// Names a variant among several.
    private static String label(ExperimentConfig config, Checked variant) {
        String name = variant.config().name();
        return config.variants().size() == 1 ? "" : "variant '%s'".formatted(name);
    }

    /// The target.
    public TargetModel target() {
        return models.target();
    }

    /// Plain decoding for each sampling policy in use, and every variant, in the order of the configuration.
    public List<Variant> variants() {
        return variants;
    }

    /// Digest of every model's weights by its role and name, for provenance; drafters without a model are left out.
    public SortedMap<String, String> modelDigests() {
        SortedMap<String, String> digests = new TreeMap<>();
        var description = target().description();
        digests.put("target " + description.name(), description.digest());
        for (Variant variant : variants) {
            String digest = variant.decoder().drafter().map(Drafter::digest).orElse("");
            if (!digest.isEmpty()) {
                digests.put("drafter " + variant.name(), digest);
            }
        }
        return digests;
    }

    /// Returns the comparison that an experiment describes.
    ///
    /// @throws OutriderException if prompts cannot be read; CONTEXT_EXCEEDED if one leaves no room for all tokens;
    ///                           SOURCE_UNEXPECTED, SOURCE_MISSING
    public ComparisonPlan plan(ExperimentConfig config) {
        List<Prompt> prompts =
                new PromptEncoder(target(), config.maxTokens()).encode(config.prompts());
        requireRoom(prompts, config.maxTokens());
        int batch = config.batch();
        requireWholeBatch(prompts.size(), batch);
        var whole = prompts.subList(0, prompts.size() - prompts.size() % batch);
        return ComparisonPlan.of(config, variants, whole, config.protocol().warmup(), batch);
    }

    private static void requireWholeBatch(int prompts, int batch) {
        if (prompts < batch) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "batch is %d, but there are only %d prompts".formatted(batch, prompts),
                    "Give more prompts, or a smaller batch.");
        }
    }

    private void requireRoom(List<Prompt> prompts, int maxTokens) {
        for (Prompt prompt : prompts) {
            try {
                RequestLimits.requireSource(target().description(), prompt.source());
                RequestLimits.requireRoom(target().description(), prompt.ids().size(), maxTokens);
            } catch (OutriderException e) {
                throw e.within("prompt '%s'".formatted(prompt.id()));
            }
        }
    }

    @Override
    public void close() {
        models.close();
    }

    /// The mistakes of one run, told together. Confined to one thread.
    private static final class Mistakes {
        private final List<OutriderException> found = new ArrayList<>();

        void add(OutriderException mistake) {
            found.add(mistake);
        }

        /// Does a part of the work, and keeps its mistake.
        ///
        /// @param place in front of the problem, such as `variants[1] 'tree'`; may be empty
        void during(String place, Runnable part) {
            try {
                part.run();
            } catch (OutriderException e) {
                add(place.isEmpty() ? e : e.within(place));
            }
        }

        /// @throws OutriderException the only mistake, or all of them, each with its code and what to do, under the code of the first
        void raise() {
            if (found.size() == 1) {
                throw found.getFirst();
            }
            if (!found.isEmpty()) {
                var all = found.stream().map(each -> "\n" + each.getMessage());
                var listed = all.collect(Collectors.joining()).replace("\n", "\n  ");
                throw found.getFirst()
                        .code()
                        .error(
                                found.size() + " mistakes:" + listed,
                                "Correct each as the line below it says.");
            }
        }
    }
}
