package dev.outrider.experiment.tree;

import dev.outrider.common.Require;
import dev.outrider.common.Ticker;
import dev.outrider.config.TreeFile;
import dev.outrider.engine.metrics.RankCounts;
import dev.outrider.engine.model.OptimalTrees;
import dev.outrider.engine.model.RoundCost;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Finds the tree of least time per token for one variant: measures how often the child of each rank is accepted, with the
/// variant's own rule; times rounds of many sizes on this machine; runs the dynamic program. Confined to one thread.
///
/// A tree that was fitted with one rule, temperature, drafter or machine is exact with every other that its selection allows, but
/// it is then no longer the fastest: top-ranked and drawn siblings have different acceptance.
///
/// @see "Chen et al. 2024 (Sequoia), sections 3.1 and 3.3; docs/reference/algorithms.md A8"
public final class TreeOptimiser {
    private static final int TIMED_PROMPTS = 6;
    private static final String PROBE = "probe";
    private static final String CHAIN = "chain";
    private static final String TREE = "tree";

    private final ExperimentConfig config;
    private final VariantConfig variant;
    private final TreeSearch search;
    private final Ticker ticker;
    private final Progress progress;
    private final BooleanSupplier cancelled;
    private final TreeVariants.Siblings siblings;

    /// @param config    the experiment, for its target, sampling, limits and seed
    /// @param variant   one of its variants, whose drafter and rule are used
    /// @param search    limits
    /// @param ticker    clock of the rounds
    /// @param progress  told about every generation
    /// @param cancelled asked before every round
    public TreeOptimiser(
            ExperimentConfig config,
            VariantConfig variant,
            TreeSearch search,
            Ticker ticker,
            Progress progress,
            BooleanSupplier cancelled) {
        if (variant.decoding().isPresent()) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "variant '%s' searches with beams, but a tree is optimised for one text"
                            .formatted(variant.name()),
                    "Choose a variant without 'decoding'.");
        }
        this.config = config;
        this.variant = variant;
        this.search = search;
        this.ticker = ticker;
        this.progress = progress;
        this.cancelled = cancelled;
        this.siblings = TreeVariants.Siblings.of(variant.drafter().traits());
    }

    /// Measures and computes.
    ///
    /// @param prompts   prompts to measure on
    /// @param machine   the machine, in words, for the file
    /// @throws OutriderException     what loading and decoding throw; CAPABILITY_MISSING if the drafter takes no tree;
    ///                               DATA_INVALID if no guess was ever accepted
    /// @throws CancellationException if cancelled
    public OptimisedTree optimise(List<Prompt> prompts, String machine) {
        var counts = new RankCounts(search.ranks());
        String rule = measureAcceptance(prompts, counts);
        var acceptance = counts.acceptance();
        var optimal = new OptimalTrees(acceptance, search.maxNodes(), search.depth());
        if (optimal.best(1, 1).nodes() == 0) {
            throw ErrorCode.DATA_INVALID.error(
                    "none of the guesses below %d nodes was accepted, so that no tree can help"
                            .formatted(counts.visited()),
                    "Check that the drafter was made for this target, and give more prompts.");
        }
        var cost = measureTimes(prompts, optimal);
        var tree = optimal.fastest(cost::of);
        var plan = siblings.plan(tree.paths());
        var measured =
                new TreeFile.Measured(
                        rule,
                        policyTemperature(),
                        acceptance.rates(),
                        counts.visited(),
                        tree.tokens(),
                        cost.speedup(tree));
        String source =
                "optimised for '%s' of %s with rule %s at temperature %s, seed %d, on %s"
                        .formatted(
                                variant.name(),
                                config.name(),
                                rule,
                                policyTemperature(),
                                config.seed(),
                                machine);
        return new OptimisedTree(
                TreeVariants.with(variant, OptimisedTree.NAME, plan),
                rule,
                counts,
                cost,
                tree,
                new TreeFile(TreeFile.VERSION, source, plan, Optional.of(measured)));
    }

    private String measureAcceptance(List<Prompt> prompts, RankCounts counts) {
        var probe =
                TreeVariants.with(
                        variant, PROBE, siblings.full(search.ranks(), search.probeDepth()));
        try (var loadedExperiment = load(probe)) {
            var timed = variant(loadedExperiment, PROBE);
            // At temperature 0 a repetition would only count the same rounds again.
            int repetitions = timed.policy().greedy() ? 1 : config.protocol().repetitions();
            int of = repetitions * prompts.size();
            for (int number = 0; number < of; number++) {
                progress.at("measuring acceptance", number, of);
                var request =
                        prompts.get(number % prompts.size())
                                .request(
                                        config.maxTokens(),
                                        timed.policy(),
                                        config.stop(),
                                        config.ignoreEndOfSequence());
                timed.decoder()
                        .decode(
                                request,
                                RandomnessSource.of(new KeyedRandomStreams(config.seed(), number)),
                                counts,
                                cancelled);
                stopIfCancelled();
            }
            return timed.rule();
        }
    }

    private RoundCost measureTimes(List<Prompt> prompts, OptimalTrees optimal) {
        int depth = search.depth();
        var chain =
                siblings.plan(
                        IntStream.rangeClosed(1, depth)
                                .mapToObj(length -> Collections.nCopies(length, 0))
                                .toList());
        var largest = siblings.plan(optimal.best(search.maxNodes(), depth).paths());
        try (var loadedExperiment =
                load(
                        TreeVariants.with(variant, CHAIN, chain),
                        TreeVariants.with(variant, TREE, largest))) {
            var variants = new ArrayList<Variant>();
            variants.add(variant(loadedExperiment, variant(loadedExperiment, CHAIN).baseline()));
            variants.addAll(
                    RoundTimer.ladder(variant(loadedExperiment, CHAIN), CHAIN, depth, depth));
            variants.addAll(
                    RoundTimer.ladder(
                            variant(loadedExperiment, TREE), TREE, largest.maxNodes(), depth));
            var timed = prompts.subList(0, Math.min(TIMED_PROMPTS, prompts.size()));
            int warmup = Math.max(1, config.protocol().warmup());
            var plan = ComparisonPlan.of(config, variants, timed, warmup, 1);
            var result =
                    new Comparison(plan, ticker, new Comparison.Steps(plan, progress), cancelled)
                            .run();
            stopIfCancelled();
            return RoundTimer.cost(result);
        }
    }

    private LoadedExperiment load(VariantConfig... variants) {
        return LoadedExperiment.load(config.withVariants(List.of(variants)), ticker, false);
    }

    private double policyTemperature() {
        return variant.sampling().orElse(config.sampling()).temperature();
    }

    private void stopIfCancelled() {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
    }

    private static Variant variant(LoadedExperiment loadedExperiment, String name) {
        return loadedExperiment.variants().stream()
                .filter(timed -> timed.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// The result of an optimisation.
    ///
    /// @param variant the variant with the tree
    /// @param rule    name of the acceptance rule that acceptance was measured with
    /// @param counts  acceptance by rank
    /// @param cost    costs of rounds, in nanoseconds
    /// @param tree    the tree of least time per expected token
    /// @param file    the tree as a file
    public record OptimisedTree(
            VariantConfig variant,
            String rule,
            RankCounts counts,
            RoundCost cost,
            OptimalTrees.Tree tree,
            TreeFile file) {
        /// Name of the variant that drafts with the optimised tree.
        public static final String NAME = "optimised tree";

        /// Expected speedup over plain decoding.
        public double speedup() {
            return cost.speedup(tree);
        }
    }

    /// The limits of the search.
    ///
    /// @param ranks      ranks whose acceptance is measured, 1 to 32: most children of a node
    /// @param probeDepth depth of the full tree it is measured in, 1 to 3; that tree has up to `ranks^probeDepth` leaves
    /// @param maxNodes   most nodes of the tree wanted, 1 to 512
    /// @param maxDepth   greatest depth of it, 1 to 32
    public record TreeSearch(int ranks, int probeDepth, int maxNodes, int maxDepth) {
        private static final int MAX_PROBED = 1024;

        public TreeSearch {
            Require.between("ranks", ranks, 1, 32);
            Require.between("probeDepth", probeDepth, 1, 3);
            Require.between("maxNodes", maxNodes, 1, 512);
            Require.between("maxDepth", maxDepth, 1, 32);
            Require.that(
                    Math.pow(ranks, probeDepth) <= MAX_PROBED,
                    "a full tree of %d ranks and depth %d has more than %d leaves",
                    ranks,
                    probeDepth,
                    MAX_PROBED);
        }

        /// Greatest depth that makes sense: a chain of all nodes.
        int depth() {
            return Math.min(maxNodes, maxDepth);
        }
    }
}
