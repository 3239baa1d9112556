package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DrafterExactness.LosesUnlikely;
import dev.outrider.testkit.FaultyRules.BlockFault;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Mistakes of released engines. Each runs through the same enumeration as the production rules, on
/// the tables where the reference enumeration found its largest error (docs/reference/algorithms.md
/// C3), and must show that error to the printed digits; the correct counterpart on the same tables
/// must show none. The last one has its own distributions and margin.
class NegativeControlsTest {
    private static final SamplingPolicy SHARP = SamplingPolicy.atTemperature(.5);
    private static final TreePlan CHAIN = new TreePlan.Chain(2);
    private static final TreePlan PAIR = distinct(2);
    private static final AcceptanceRule TOKEN = new TokenRejectionRule();
    private static final AcceptanceRule RRSW = new WithoutReplacementRule();

    /// p, qd and the map (0, 1, 1, 2) of a drafter with four tokens: 1 and 2 are the target's token 1.
    private static final TableModel TARGET_OF_THREE =
            TableModel.of(
                    3,
                    prefix ->
                            prefix.size() == Toy.PROMPT.length
                                    ? new double[] {.55, .1, .35}
                                    : new double[] {1, 0, 0});

    private static final TableModel SUMMED = TableModel.constant(.05, .85 + .05, .05);
    private static final double[] OVERWRITTEN = {.05, .05, .05};

    static Stream<Control> controls() {
        return Stream.of(
                on("dense-13", "dense-902")
                        .control(
                                "argmax draft judged by a softmax q",
                                .314,
                                q -> drafter(q, CHAIN, SamplingPolicy.argmax()),
                                q -> draft -> FaultyDrafts.declaring(draft, q, 1),
                                TOKEN,
                                TOKEN),
                on("zeros-13", "dense-902")
                        .control(
                                "q at another temperature than the draw",
                                .138,
                                q -> drafter(q, CHAIN, SHARP),
                                q -> draft -> FaultyDrafts.declaring(draft, q, 1),
                                TOKEN,
                                TOKEN),
                on("dense-12", "dense-901")
                        .control(
                                "bonus without the temperature",
                                .068,
                                q -> drafter(q, CHAIN, Toy.PLAIN),
                                honest(),
                                new FaultyRules.UntemperedBonus(true),
                                new FaultyRules.UntemperedBonus(false)),
                on("dense-13", "dense-902")
                        .control(
                                "dropping a sampled token of low q",
                                .163,
                                q -> drafter(q, CHAIN, Toy.PLAIN),
                                _ -> draft -> LosesUnlikely.shortened(draft, .5),
                                TOKEN,
                                TOKEN),
                on("dense-12", "zeros-901")
                        .control(
                                "block verification stops at the first failure",
                                .165,
                                q -> drafter(q, new TreePlan.Chain(3), Toy.PLAIN),
                                honest(),
                                new FaultyRules.Block(BlockFault.STOPS_AT_FIRST_FAILURE),
                                new BlockVerificationRule()),
                on("dense-12", "zeros-901")
                        .control(
                                "block verification with h_i = P_i",
                                .131,
                                q -> drafter(q, new TreePlan.Chain(3), Toy.PLAIN),
                                honest(),
                                new FaultyRules.Block(BlockFault.KEEPS_WITH_PREFIX_WEIGHT),
                                new FaultyRules.Block(BlockFault.NONE)),
                on("zeros-13", "zeros-902")
                        .control(
                                "multi-step rejection skips a repeated sibling",
                                .073,
                                q ->
                                        drafter(
                                                q,
                                                new TreePlan.SampledWithReplacement(List.of(3)),
                                                Toy.PLAIN),
                                honest(),
                                new FaultyRules.MultiStep(true),
                                new FaultyRules.MultiStep(false)),
                on("dense-14", "dense-903")
                        .control(
                                "distinct siblings judged by falling q",
                                .241,
                                q -> drafter(q, PAIR, Toy.PLAIN),
                                _ -> draft -> FaultyDrafts.ranked(draft, 2),
                                RRSW,
                                RRSW),
                on("zeros-11", "zeros-900")
                        .control(
                                "distinct siblings without the update of S",
                                .200,
                                q -> drafter(q, PAIR, Toy.PLAIN),
                                _ -> FaultyDrafts::forgettingReplacement,
                                new MultiStepRule(),
                                RRSW),
                on("dense-14", "dense-903")
                        .control(
                                "siblings pruned after the draw",
                                .241,
                                q -> drafter(q, PAIR, Toy.PLAIN),
                                _ -> draft -> FaultyDrafts.ranked(draft, 1),
                                RRSW,
                                RRSW),
                on("dense-14", "zeros-903")
                        .control(
                                "threshold_acc .7",
                                .216,
                                q -> drafter(q, PAIR, Toy.PLAIN),
                                honest(),
                                new FaultyRules.SingleUniform(1, .7),
                                new FaultyRules.SingleUniform(1, 1)),
                on("zeros-11", "zeros-900")
                        .control(
                                "threshold_single .5",
                                .200,
                                q -> drafter(q, PAIR, Toy.PLAIN),
                                honest(),
                                new FaultyRules.SingleUniform(.5, 1),
                                new FaultyRules.SingleUniform(1, 1)),
                on("dense-11", "dense-900")
                        .control(
                                "traversal divides by 1 - S(c)",
                                .305,
                                q -> drafter(q, distinct(2, 2), Toy.PLAIN),
                                honest(),
                                new FaultyRules.Traversal(true),
                                new FaultyRules.Traversal(false)),
                on("dense-11", "zeros-900")
                        .control(
                                "traversal without the update of S",
                                .287,
                                q -> drafter(q, distinct(2, 2), Toy.PLAIN),
                                _ -> FaultyDrafts::forgettingReplacement,
                                new TraversalRule(),
                                new TraversalRule()),
                on("dense-11", "onehot-900")
                        .control(
                                "one uniform for all positions",
                                .073,
                                q -> drafter(q, CHAIN, Toy.PLAIN),
                                honest(),
                                TOKEN,
                                TOKEN)
                        .with(NegativeControlsTest::sharedUniform),
                on("dense-13", "dense-902")
                        .control(
                                "correction drawn from p, not from the residual",
                                .093,
                                q -> drafter(q, CHAIN, Toy.PLAIN),
                                honest(),
                                new FaultyRules.WithoutResidual(true),
                                new FaultyRules.WithoutResidual(false)));
    }

    @ParameterizedTest
    @MethodSource("controls")
    void theFaultShowsByTheListedMargin(Control control) {
        assertThat(control.faultyError())
                .as("error of '%s' on its tables", control.name())
                .isCloseTo(control.listed(), within(5.1e-4));
    }

    /// Without the refusal, the error would be .80.
    @Test
    void twoDraftTokensOfOneTargetTokenNeedTheSumOfTheirProbabilities() {
        var overwritten =
                new Tables(TARGET_OF_THREE, SUMMED)
                        .control(
                                "two draft tokens of one target token, the distribution of the last one kept",
                                .80,
                                q -> drafter(q, new TreePlan.Chain(1), Toy.PLAIN),
                                _ -> draft -> FaultyDrafts.declaring(draft, _ -> OVERWRITTEN),
                                TOKEN,
                                TOKEN);

        assertThatThrownBy(overwritten::faultyError)
                .hasMessageStartingWith(
                        "CONTRACT_BROKEN: drafter 'Toy.1' in round 0 recorded a distribution that sums to 0.15");
        assertThat(overwritten.honestError()).isLessThan(ExactDistribution.TOLERANCE);
    }

    @ParameterizedTest
    @MethodSource("controls")
    void theCorrectCounterpartShowsNoError(Control control) {
        assertThat(control.honestError())
                .as(control.name())
                .isLessThan(ExactDistribution.TOLERANCE);
    }

    /// Sampled trees of any origin, even pruned or re-ranked ones, are exact with a rule that ignores q.
    @ParameterizedTest
    @MethodSource("spoiltDrafts")
    void sampleAndMatchIsExactDespiteTheFaults(UnaryOperator<Draft> fault) {
        var target = ControlDistributions.table("target-dense-14");
        var drafter = drafter(ControlDistributions.table("draft-dense-903"), PAIR, Toy.PLAIN);
        var spoilt = Toy.spoilt(drafter, (draft, _) -> FaultyDrafts.unknown(fault.apply(draft)));

        ExactDistribution.assertExact(
                Toy.decoder(TableTarget.of(target), spoilt, new SampleAndMatchRule()),
                target,
                Toy.PLAIN,
                Toy.PROMPT,
                1,
                2);
    }

    static Stream<UnaryOperator<Draft>> spoiltDrafts() {
        return Stream.of(
                draft -> FaultyDrafts.ranked(draft, 1), draft -> FaultyDrafts.ranked(draft, 2));
    }

    /// A fault, the drafter and rule in which it was seen, and the error that the reference found.
    ///
    /// @param listed largest error of any probability of a sequence one longer than the draft is
    ///     deep
    record Control(
            String name,
            double listed,
            Tables tables,
            Drafter drafter,
            UnaryOperator<Draft> fault,
            AcceptanceRule faulty,
            AcceptanceRule honest,
            Function<Randomness, RandomnessSource> supply) {
        Control with(Function<Randomness, RandomnessSource> faultySupply) {
            return new Control(name, listed, tables, drafter, fault, faulty, honest, faultySupply);
        }

        double faultyError() {
            return error(Toy.spoilt(drafter, (draft, _) -> fault.apply(draft)), faulty, supply);
        }

        double honestError() {
            return error(drafter, honest, randomness -> _ -> randomness);
        }

        private double error(
                Drafter by,
                AcceptanceRule rule,
                Function<Randomness, RandomnessSource> randomnessSource) {
            int length = drafter.traits().maxDepth() + 1;
            var target = tables.target();
            var emitted =
                    ExactDistribution.emitted(
                            Toy.decoder(TableTarget.of(target), by, rule),
                            Toy.PLAIN,
                            Toy.PROMPT,
                            1,
                            randomnessSource);
            return ExactDistribution.distance(
                    ExactDistribution.completed(emitted, target, Toy.PLAIN, Toy.PROMPT, length),
                    ExactDistribution.ofTarget(target, Toy.PLAIN, Toy.PROMPT, length));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private record Tables(TableModel target, TableModel draft) {
        Control control(
                String name,
                double listed,
                Function<TableModel, Drafter> drafter,
                Function<TableModel, UnaryOperator<Draft>> fault,
                AcceptanceRule faulty,
                AcceptanceRule honest) {
            return new Control(
                    name,
                    listed,
                    this,
                    drafter.apply(draft),
                    fault.apply(draft),
                    faulty,
                    honest,
                    randomness -> _ -> randomness);
        }
    }

    private static Tables on(String target, String draft) {
        return new Tables(
                ControlDistributions.table("target-" + target),
                ControlDistributions.table("draft-" + draft));
    }

    private static Function<TableModel, UnaryOperator<Draft>> honest() {
        return _ -> draft -> draft;
    }

    private static Drafter drafter(TableModel model, TreePlan plan, SamplingPolicy policy) {
        return new TableDrafter(model, plan, policy);
    }

    private static TreePlan distinct(Integer... widths) {
        return new TreePlan.SampledWithoutReplacement(List.of(widths));
    }

    /// All accept tests of a round compare the same uniform number: if it passed one test, it
    /// certainly passes a wider one.
    private static RandomnessSource sharedUniform(Randomness randomness) {
        return _ -> new SharedUniform(randomness);
    }

    private static final class SharedUniform implements ForwardingRandomness {
        private final Randomness randomness;
        private double below = 1;

        SharedUniform(Randomness randomness) {
            this.randomness = randomness;
        }

        @Override
        public Randomness randomness() {
            return randomness;
        }

        @Override
        public boolean accept(int node, double numerator, double denominator) {
            double limit = Math.min(1, numerator / denominator);
            boolean accepted = randomness.accept(node, Math.min(limit, below), below);
            below = Math.min(limit, below);
            return accepted;
        }
    }
}
