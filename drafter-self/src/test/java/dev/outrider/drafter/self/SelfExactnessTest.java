package dev.outrider.drafter.self;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.LayerSubset;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.WrappedDrafter;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rounds of drafting by some layers, judging and observing, enumerated over every random outcome: the tokens follow the target's
/// distribution exactly, whatever the layers say, the shape, the sampling and the stop.
class SelfExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int SEEDS = 4;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);
    private static final SamplingPolicy OWN = new SamplingPolicy(1.7, 2, 1, 0, 1);
    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    /// One pairing.
    record Pairing(Drafting drafting, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return "%s, %s, %d rounds".formatted(drafting, rule.traits().name(), rounds);
        }
    }

    static Stream<Pairing> pairings() {
        var token = new TokenRejectionRule();
        var chain = Drafting.of(new TreePlan.Chain(2));
        var distinct = Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 2)));
        var independent = Drafting.of(new TreePlan.SampledWithReplacement(List.of(2, 1)));
        var shaped = Drafting.of(new TreePlan.SampledPaths(SHAPE, false));
        return Stream.of(
                new Pairing(chain, token, 2),
                new Pairing(chain.sampledBy(OWN), token, 2),
                new Pairing(chain.stoppingBelow(0.4), token, 2),
                new Pairing(Drafting.of(new TreePlan.Chain(3)), new BlockVerificationRule(), 1),
                new Pairing(independent, new MultiStepRule(), 1),
                new Pairing(independent, new KSequentialRule(), 1),
                new Pairing(distinct, new WithoutReplacementRule(), 1),
                new Pairing(distinct.stoppingBelow(0.3), new TraversalRule(), 1),
                new Pairing(shaped, new TraversalRule(), 1),
                new Pairing(shaped, new WithoutReplacementRule(), 1),
                new Pairing(
                        Drafting.of(new TreePlan.Coupled(List.of(2, 1))),
                        new GumbelCoupledRule(),
                        2),
                new Pairing(
                        Drafting.of(new TreePlan.LevelWidths(List.of(2, 2))),
                        new SampleAndMatchRule(),
                        2),
                new Pairing(
                        Drafting.of(new TreePlan.Dynamic(2, 3, 5)), new SampleAndMatchRule(), 2));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsDistribution(Pairing pairing) {
        for (int seed = 0; seed < SEEDS; seed++) {
            var model = model(seed);
            ExactDistribution.assertExact(
                    decoder(model, seed, pairing, drafter(pairing)),
                    model,
                    TARGET,
                    PROMPT,
                    pairing.rounds(),
                    5);
        }
    }

    /// A set that is searched for along the text: which one drafts depends on what was written, and never on what is drawn.
    @ParameterizedTest
    @MethodSource("searchedPairings")
    void tokensFollowTheTargetsDistributionWhicheverLayersAreFound(Pairing pairing) {
        for (int seed = 0; seed < SEEDS; seed++) {
            var model = model(seed);
            var search = new SwiftConfig.Search(8, 2, 1, seed);
            var drafter =
                    new SelfDrafter(
                            "swift",
                            pairing.drafting(),
                            VOCABULARY,
                            () ->
                                    new SkipSearch(
                                            SubLayers.spread(5, 0.4),
                                            search,
                                            new SplittableRandom(search.seed())));
            ExactDistribution.assertExact(
                    decoder(model, seed, pairing, drafter),
                    model,
                    TARGET,
                    PROMPT,
                    pairing.rounds(),
                    5);
        }
    }

    static Stream<Pairing> searchedPairings() {
        return Stream.of(
                new Pairing(Drafting.of(new TreePlan.Chain(2)), new TokenRejectionRule(), 2),
                new Pairing(
                        Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 2))),
                        new WithoutReplacementRule(),
                        1),
                new Pairing(
                        Drafting.of(new TreePlan.Dynamic(2, 3, 5)), new SampleAndMatchRule(), 2));
    }

    /// The control: a rule that is told the distribution at temperature 1 of tokens that were drawn from another.
    @Test
    void theDistributionOfAnotherTemperatureIsNotExact() {
        var pairing =
                new Pairing(
                        Drafting.of(new TreePlan.Chain(2)).sampledBy(OWN),
                        new TokenRejectionRule(),
                        1);
        double worst = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var model = model(seed);
            var decoder =
                    decoder(
                            model,
                            seed,
                            pairing,
                            new WrappedDrafter(drafter(pairing), Flattened::new));
            worst =
                    Math.max(
                            worst,
                            ExactDistribution.error(
                                    decoder, model, TARGET, PROMPT, pairing.rounds(), 5));
        }
        assertThat(worst).as("largest error of a probability").isGreaterThan(0.02);
    }

    private static TableModel model(int seed) {
        return TableModel.random(
                VOCABULARY,
                DistributionStyle.values()[seed % DistributionStyle.values().length],
                seed);
    }

    private static Drafter drafter(Pairing pairing) {
        var layers = new LayerSubset.First(1);
        return new SelfDrafter(
                "early-exit", pairing.drafting(), VOCABULARY, () -> (tokens, passes) -> layers);
    }

    private static Decoder decoder(TableModel model, int seed, Pairing pairing, Drafter drafter) {
        return new Decoder(
                LayeredTable.random(model, seed),
                Optional.of(drafter),
                pairing.rule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    /// States that its chains were drawn from flatter distributions.
    private static final class Flattened extends WrappedDrafter.Session {
        Flattened(DraftSession session) {
            super(session);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
            if (!(draft.selection() instanceof Selection.Independent(var rows))) {
                return draft;
            }
            var flat = DraftDistributions.builder();
            for (int node = 0; node + 1 < draft.tree().size(); node++) {
                double[] row = rows.row(node).clone();
                for (int token = 0; token < row.length; token++) {
                    row[token] = (row[token] + 1.0 / row.length) / 2;
                }
                flat.put(node, row);
            }
            return new Draft(draft.tree(), new Selection.Independent(flat.build()));
        }
    }
}
