package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.DeclaredTraits;
import dev.outrider.engine.check.Guard;
import dev.outrider.engine.check.GuardedClose;
import dev.outrider.engine.check.Losslessness;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Ticker;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.LengthConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterContext;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TargetFactory;
import dev.outrider.spi.TargetModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loaded models of an experiment, and the sides that compare them. Owns target and drafters and closes them last-in
/// first-out.
///
/// Combinations that are not exact, and combinations that cannot work, are refused before anything is loaded. Variants
/// with equal drafter settings share one drafter.
public final class Assembly implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);

    private final Ticker ticker;
    private final Guard guard;
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final Map<Component<DrafterFactory<?>>, Drafter> drafters = new HashMap<>();
    private final List<Contender> contenders = new ArrayList<>();
    private final TargetModel target;

    private Assembly(ExperimentConfig config, Ticker ticker, boolean checked) {
        this.ticker = ticker;
        this.guard = config.guard();
        List<Checked> variants =
                config.variants().stream().map(variant -> check(variant, config)).toList();
        this.target = open(config.target().factory(), config.target());
        closers.push(this::closeTarget);
        try {
            plain(config.sampling());
            for (Checked variant : variants) {
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
    /// @throws OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING, or what loading throws
    public static Assembly load(ExperimentConfig config, Ticker ticker, boolean checked) {
        return new Assembly(config, ticker, checked);
    }

    /// Check an experiment as far as that is possible without loading anything.
    ///
    /// @throws OutriderException LOSSY_NOT_ALLOWED or CAPABILITY_MISSING
    public static void check(ExperimentConfig config) {
        config.variants().forEach(variant -> check(variant, config));
    }

    /// The target.
    public TargetModel target() {
        return target;
    }

    /// Plain decoding for each sampling policy in use, and every variant, in the order of the configuration.
    public List<Contender> contenders() {
        return List.copyOf(contenders);
    }

    /// Digest of every model's weights by its role and name, for provenance; drafters without a model are left out.
    public SortedMap<String, String> modelDigests() {
        SortedMap<String, String> digests = new TreeMap<>();
        var description = target.description();
        digests.put("target " + description.name(), description.digest());
        for (Contender contender : contenders) {
            String digest = contender.decoder().drafter().map(Drafter::digest).orElse("");
            if (!digest.isEmpty()) {
                digests.put("drafter " + contender.name(), digest);
            }
        }
        return digests;
    }

    /// The comparison an experiment asks for.
    ///
    /// @throws OutriderException if prompts cannot be read
    public ComparisonPlan plan(ExperimentConfig config) {
        List<Prompt> prompts =
                new PromptEncoder(target, config.maxTokens()).encode(config.prompts());
        return new ComparisonPlan(
                contenders,
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

    /// A variant whose combination is known to work.
    private record Checked(
            VariantConfig config,
            AcceptanceRule rule,
            SamplingPolicy policy,
            Losslessness losslessness) {}

    private static Checked check(VariantConfig variant, ExperimentConfig config) {
        SamplingPolicy policy = variant.sampling().orElse(config.sampling());
        DrafterTraits traits = traits(variant.drafter().factory(), variant.drafter());
        AcceptanceRule rule = rule(variant, traits, policy);
        return new Checked(
                variant,
                rule,
                policy,
                Compatibility.check(traits, rule.traits(), policy, config.allowLossy()));
    }

    private static AcceptanceRule rule(
            VariantConfig variant, DrafterTraits drafter, SamplingPolicy policy) {
        Optional<Component<AcceptanceRuleFactory<?>>> given = variant.rule();
        if (given.isPresent()) {
            return make(given.get().factory(), given.get());
        }
        return Rules.fitting(drafter, policy);
    }

    private void add(Checked variant, boolean checked) {
        String baseline = plain(variant.policy());
        Component<DrafterFactory<?>> chosen = variant.config().drafter();
        Drafter drafter = drafters.computeIfAbsent(chosen, this::load);
        DraftLengthPlan lengths =
                variant.config()
                        .draftLength()
                        .map(LengthConfig::plan)
                        .orElse(FixedLength.drafterLimit());
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        variant.rule(),
                        lengths,
                        checked,
                        ticker,
                        guard);
        boolean argmax = variant.policy().greedy() && variant.rule().traits().lossless();
        contenders.add(
                new Contender(
                        variant.config().name(),
                        baseline,
                        chosen.use(),
                        argmax ? new GreedyRule().traits().name() : variant.rule().traits().name(),
                        variant.policy(),
                        variant.losslessness(),
                        decoder));
    }

    /// Name of the plain decoding under a policy, which is added if it is new.
    private String plain(SamplingPolicy policy) {
        for (Contender contender : contenders) {
            if (contender.plain() && contender.policy().equals(policy)) {
                return contender.name();
            }
        }
        long others = contenders.stream().filter(Contender::plain).count();
        String name = others == 0 ? "plain" : "plain-" + (others + 1);
        AcceptanceRule rule = Rules.plain(policy);
        Losslessness exact =
                policy.greedy() ? Losslessness.GREEDY_EQUAL : Losslessness.LOSSLESS_IN_LAW;
        contenders.add(
                new Contender(
                        name,
                        name,
                        "none",
                        rule.traits().name(),
                        policy,
                        exact,
                        Decoder.plain(target, rule, ticker)));
        return name;
    }

    private Drafter load(Component<DrafterFactory<?>> chosen) {
        var factory = chosen.factory();
        Drafter drafter =
                PluginContext.during(factory, () -> create(factory, chosen, () -> target));
        closers.push(new GuardedClose(drafter, guard));
        return DeclaredTraits.checked(chosen.use(), traits(factory, chosen), drafter);
    }

    private static <C extends Record> TargetModel open(
            TargetFactory<C> factory, Component<?> chosen) {
        return factory.open(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> DrafterTraits traits(
            DrafterFactory<C> factory, Component<?> chosen) {
        return factory.traits(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> Drafter create(
            DrafterFactory<C> factory, Component<?> chosen, DrafterContext context) {
        return factory.create(factory.configType().cast(chosen.config()), context);
    }

    private static <C extends Record> AcceptanceRule make(
            AcceptanceRuleFactory<C> factory, Component<?> chosen) {
        return factory.create(factory.configType().cast(chosen.config()));
    }

    /// A drafter's thread that was left behind may be reading the target's weights, which are then freed with the process.
    private void closeTarget() {
        if (guard.left().isEmpty()) {
            target.close();
        }
    }

    @Override
    public void close() {
        contenders.clear();
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
        PluginContext.threads()
                .forEach(thread ->
                        LOG.warn("thread {} still runs after its plugin was closed", thread));
    }
}
