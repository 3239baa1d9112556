package dev.outrider.experiment.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.TreeFile;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.run.ClockedDrafter;
import dev.outrider.experiment.run.ClockedTarget;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.tree.TreeOptimiser.OptimisedTree;
import dev.outrider.experiment.tree.TreeOptimiser.TreeSearch;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Models whose distributions are tables and whose times are known exactly.
class TreeOptimiserTest {
    private static final String FILE =
            """
            name: fake
            target: {use: table, sure: 0.7, maxPositions: 512}
            prompts: {texts: [ab, ba, abc, bbb, cab, aab, bca, cba]}
            maxTokens: 200
            sampling: {temperature: 1}
            ignoreEndOfSequence: true
            repetitions: 5
            variants:
              - name: ranked
                drafter: {use: table, agreement: 0.7, tree: {widths: [2]}}
              - name: drawn
                drafter: {use: table, agreement: 0.7, tree: {sampledWithoutReplacement: {widths: [2]}}}
                rule: without-replacement
              - name: independent
                drafter: {use: table, agreement: 0.7, tree: {sampledWithReplacement: {widths: [2]}}}
                rule: multi-step
            """;
    private static final TreeSearch SEARCH = new TreeSearch(3, 2, 12, 5);

    private static final Map<String, OptimisedTree> FOUND = new HashMap<>();

    private final FakeClock clock = new FakeClock();
    private final Set<String> phases = new LinkedHashSet<>();

    @Test
    void theCostsAreThoseOfTheModels() {
        var cost = optimise("ranked").cost();

        assertThat(cost.draftPerLevel()).isCloseTo(ClockedDrafter.STEP, within(1e-6));
        assertThat(cost.draftPerNode()).isCloseTo(0, within(1e-6));
        assertThat(cost.plain()).isEqualTo(ClockedTarget.PASS);
        assertThat(cost.byRows()).containsKeys(1, 2, 3, 5, 9, 13);
        assertThat(cost.verifying(7))
                .isCloseTo(ClockedTarget.PASS + 6 * ClockedTarget.ROW, within(1e-6));
    }

    @Test
    void rankedAndDrawnSiblingsHaveAcceptanceOfTheirOwn() {
        var ranked = optimise("ranked").counts().acceptance().rates();
        var drawn = optimise("drawn").counts().acceptance().rates();

        // If the drafter agrees (0.7), the best guess has probability 0.7, otherwise 0.06.
        assertThat(ranked.getFirst()).isCloseTo(0.7 * 0.7 + 0.3 * 0.06, within(0.03));
        assertThat(drawn.getFirst()).isNotCloseTo(ranked.getFirst(), within(0.02));
    }

    @Test
    void aTreeIsWrittenAsItsSiblingsAreChosen() {
        assertThat(optimise("ranked").file().tree()).isInstanceOf(TreePlan.RankPaths.class);
        assertThat(optimise("drawn").file().tree())
                .isInstanceOfSatisfying(
                        TreePlan.SampledPaths.class,
                        plan -> assertThat(plan.withReplacement()).isFalse());
        assertThat(optimise("independent").file().tree())
                .isInstanceOfSatisfying(
                        TreePlan.SampledPaths.class,
                        plan -> assertThat(plan.withReplacement()).isTrue());
    }

    @Test
    void theFileReadsBackAsTheTreeThatWasFound() {
        for (String variant : List.of("ranked", "drawn")) {
            var found = optimise(variant);

            var read =
                    loader().parse(
                                    TreeFileWriter.yaml(found.file()),
                                    "tree.yaml",
                                    Path.of(""),
                                    TreeFile.class,
                                    List.of())
                            .config();

            assertThat(read.tree()).isEqualTo(found.file().tree());
            assertThat(read.source()).isEqualTo(found.file().source());
            assertThat(read.measured().orElseThrow().rule()).isEqualTo(found.rule());
            assertThat(read.measured().orElseThrow().tokensPerRound())
                    .isCloseTo(found.tree().tokens(), within(1e-4));
        }
    }

    @Test
    void otherPromptsEmitWhatWasExpected() {
        for (String variant : List.of("ranked", "drawn")) {
            var found = optimise(variant);
            var config = experiment().withVariants(List.of(found.variant()));
            try (var loadedExperiment = LoadedExperiment.load(config, clock, true)) {
                var plan = loadedExperiment.plan(config).withPrompts(check());
                var result = new Comparison(plan, clock, new Listener() {}, () -> false).run();
                var measured =
                        Report.of("", Optional.empty(), result, Map.of(), Optional.empty())
                                .variants()
                                .getLast();

                assertThat(measured.counts().tokensPerRound())
                        .as(measured.name())
                        .isCloseTo(found.tree().tokens(), within(0.12));
                assertThat(measured.speedup().value())
                        .as(measured.name())
                        .isCloseTo(found.speedup(), within(0.08));
            }
        }
    }

    @Test
    void noTreeThatWasConsideredShouldBeFaster() {
        var found = optimise("ranked");
        var acceptance = found.counts().acceptance();
        var chain = IntStream.rangeClosed(1, 4).mapToObj(n -> List.copyOf(zeros(n))).toList();

        var other =
                new dev.outrider.engine.model.OptimalTrees.Tree(
                        chain, 1 + chain.stream().mapToDouble(acceptance::ofPath).sum());

        assertThat(found.speedup()).isGreaterThanOrEqualTo(found.cost().speedup(other));
    }

    @Test
    void theSameSeedFindsTheSameTree() {
        assertThat(optimiseAgain("drawn").file()).isEqualTo(optimise("drawn").file());
    }

    @Test
    void everyPhaseIsTold() {
        optimiseAgain("ranked");

        assertThat(phases)
                .contains("measuring acceptance", "plain, text-1", "chain of 4, text-1")
                .contains("tree of 1, text-1", "tree of 12, text-1");
    }

    @Test
    void anInterruptEndsItWithoutATree() {
        assertThatThrownBy(() ->
                        optimiser(variant("ranked"), () -> phases.size() > 2)
                                .optimise(measure(), "a fake"))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void aDrafterWithoutATreeIsRefused() {
        var config =
                loader().parse(
                                FILE.replaceAll("(?s)variants:.*", "")
                                        + "variants:\n  - name: blind\n    drafter: unbending\n",
                                "fake.yaml",
                                Path.of(""),
                                ExperimentConfig.class,
                                List.of())
                        .config();

        assertThatThrownBy(() ->
                        TreeVariants.with(config.variants().getFirst(), "x", new TreePlan.Chain(1)))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("CAPABILITY_MISSING: drafter 'unbending' has no key");
    }

    @Test
    void promptsToMeasureOnAreNeverCheckedOn() {
        var prompts =
                Stream.of("a", "b", "a", "b", "a", "a")
                        .map(kind -> new Prompt(kind, kind, List.of(kind.hashCode()), List.of()))
                        .toList();
        var split = PromptSplit.alternating(prompts);
        assertThat(split.measure()).extracting(Prompt::kind).containsExactly("a", "b", "a");
        assertThat(split.check()).extracting(Prompt::kind).containsExactly("a", "b", "a");

        var own = List.of(prompts.getFirst(), new Prompt("c", "c", List.of(9), List.of()));
        assertThat(PromptSplit.apart(own, prompts).measure())
                .extracting(Prompt::kind)
                .containsExactly("c");
        assertThatThrownBy(() -> PromptSplit.alternating(prompts.subList(0, 1)))
                .hasMessageContaining(
                        "1 prompts are left to measure on and 0 others to check on; both need at least one");
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> new TreeSearch(0, 1, 1, 1))
                .hasMessage("ranks 0 must be between 1 and 32");
        assertThatThrownBy(() -> new TreeSearch(32, 3, 1, 1))
                .hasMessage("a full tree of 32 ranks and depth 3 has more than 1024 leaves");
    }

    private static List<Integer> zeros(int length) {
        return IntStream.range(0, length).mapToObj(_ -> 0).toList();
    }

    private OptimisedTree optimise(String variant) {
        return FOUND.computeIfAbsent(variant, this::optimiseAgain);
    }

    private OptimisedTree optimiseAgain(String variant) {
        return optimiser(variant(variant), () -> false).optimise(measure(), "a fake");
    }

    private TreeOptimiser optimiser(
            VariantConfig variant, java.util.function.BooleanSupplier cancelled) {
        return new TreeOptimiser(
                experiment(), variant, SEARCH, clock, (what, _, _) -> phases.add(what), cancelled);
    }

    private List<Prompt> measure() {
        return split().measure();
    }

    private List<Prompt> check() {
        return split().check();
    }

    private PromptSplit split() {
        var config = experiment();
        try (var loadedExperiment = LoadedExperiment.load(config, clock, false)) {
            return PromptSplit.alternating(
                    new ArrayList<>(loadedExperiment.plan(config).prompts()));
        }
    }

    private VariantConfig variant(String name) {
        return experiment().variants().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private ExperimentConfig experiment() {
        return loader().parse(FILE, "fake.yaml", Path.of(""), ExperimentConfig.class, List.of())
                .config();
    }

    private ConfigLoader loader() {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of(""));
    }
}
