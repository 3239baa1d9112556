package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.check.Guard;
import dev.outrider.engine.check.Losslessness;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Ticker;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.LengthConfig;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// An experiment that is ready to run: its models are loaded, and every side can generate. Owns the models.
///
/// Combinations that are not exact, and combinations that cannot work, are refused before anything is loaded.
public final class LoadedExperiment implements AutoCloseable {
    private final Ticker ticker;
    private final Guard guard;
    private final List<Side> sides = new ArrayList<>();
    private final LoadedModels models;

    private LoadedExperiment(
            ExperimentConfig config, Catalog catalog, Ticker ticker, boolean checked) {
        this.ticker = ticker;
        this.guard = config.guard();
        List<CheckedVariant> variants = checked(config, catalog);
        this.models = new LoadedModels(config.target(), catalog, guard);
        try {
            plain(config.sampling());
            for (CheckedVariant variant : variants) {
                add(variant, checked);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /// Check and load an experiment.
    ///
    /// @param ticker  clock of stage times
    /// @param checked whether every draft and verdict is checked against its contract; slows measurements down
    /// @throws OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING, UNKNOWN_COMPONENT, or what loading throws
    public static LoadedExperiment load(
            ExperimentConfig config, Catalog catalog, Ticker ticker, boolean checked) {
        return new LoadedExperiment(config, catalog, ticker, checked);
    }

    /// Check an experiment as far as that is possible without loading anything.
    ///
    /// @throws OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING or UNKNOWN_COMPONENT
    public static void check(ExperimentConfig config, Catalog catalog) {
        catalog.target(config.target().use());
        checked(config, catalog);
    }

    private static List<CheckedVariant> checked(ExperimentConfig config, Catalog catalog) {
        return config.variants().stream()
                .map(variant -> CheckedVariant.of(variant, config, catalog))
                .toList();
    }

    /// The target.
    public TargetModel target() {
        return models.target();
    }

    /// Plain decoding for each sampling policy in use, and every variant, in the order of the configuration.
    public List<Side> sides() {
        return List.copyOf(sides);
    }

    /// Digest of every model's weights by its role and name, for provenance; drafters without a model are left out.
    public SortedMap<String, String> modelDigests() {
        SortedMap<String, String> digests = new TreeMap<>();
        var description = target().description();
        digests.put("target " + description.name(), description.digest());
        for (Side side : sides) {
            String digest = side.decoder().drafter().map(Drafter::digest).orElse("");
            if (!digest.isEmpty()) {
                digests.put("drafter " + side.name(), digest);
            }
        }
        return digests;
    }

    /// The comparison an experiment asks for.
    ///
    /// @throws OutriderException if prompts cannot be read
    public ComparisonPlan plan(ExperimentConfig config) {
        List<Prompt> prompts =
                new PromptEncoder(target(), config.maxTokens()).encode(config.prompts());
        return new ComparisonPlan(
                sides,
                whole(prompts, config.batch()),
                config.maxTokens(),
                config.stop(),
                config.ignoreEndOfSequence(),
                config.seed(),
                config.warmup(),
                config.repetitions(),
                config.batch(),
                config.order());
    }

    /// As many prompts as fill whole batches.
    private static List<Prompt> whole(List<Prompt> prompts, int batch) {
        if (prompts.size() < batch) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "batch is %d, but there are only %d prompts".formatted(batch, prompts.size()),
                    "Give more prompts, or a smaller batch.");
        }
        return prompts.subList(0, prompts.size() - prompts.size() % batch);
    }

    private void add(CheckedVariant variant, boolean checked) {
        String baseline = plain(variant.policy());
        Component<DrafterFactory<?>> chosen = variant.config().drafter();
        DraftLengthPlan lengths =
                variant.config()
                        .draftLength()
                        .map(LengthConfig::plan)
                        .orElse(FixedLength.drafterLimit());
        var decoder =
                new Decoder(
                        target(),
                        Optional.of(models.drafter(chosen)),
                        variant.rule(),
                        lengths,
                        checked,
                        ticker,
                        guard);
        sides.add(
                new Side(
                        variant.config().name(),
                        baseline,
                        chosen.use(),
                        variant.ruleName(),
                        variant.policy(),
                        variant.losslessness(),
                        decoder));
    }

    /// Name of the plain decoding under a policy, which is added if it is new.
    private String plain(SamplingPolicy policy) {
        for (Side side : sides) {
            if (side.plain() && side.policy().equals(policy)) {
                return side.name();
            }
        }
        long others = sides.stream().filter(Side::plain).count();
        String name = others == 0 ? "plain" : "plain-" + (others + 1);
        AcceptanceRule rule = Rules.plain(policy);
        Losslessness exact =
                policy.greedy() ? Losslessness.GREEDY_EQUAL : Losslessness.LOSSLESS_IN_LAW;
        sides.add(
                new Side(
                        name,
                        name,
                        "none",
                        rule.traits().name(),
                        policy,
                        exact,
                        Decoder.plain(target(), rule, ticker)));
        return name;
    }

    @Override
    public void close() {
        sides.clear();
        models.close();
    }
}
