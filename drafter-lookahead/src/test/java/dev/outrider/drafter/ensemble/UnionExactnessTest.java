package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Two rounds in which two models draw and one lists its best guesses, enumerated over every random outcome: the output follows the target's
/// distribution.
class UnionExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int SEEDS = Boolean.getBoolean("outrider.nightly") ? 3 : 1;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(0.9);

    @Test
    void tokensFollowTheTargetsDistribution() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var target = model(seed);

            ExactDistribution.assertExact(
                    decoder(target, union(seed), new SampleAndMatchRule()),
                    target,
                    WARM,
                    PROMPT,
                    2,
                    4);
        }
    }

    @Test
    void twoDraftersAreRightMoreOftenThanOne() {
        var target = model(3);
        double union = length(target, union(3));

        assertThat(union).isGreaterThan(length(target, drawing(53)) + 0.01);
        assertThat(union).isGreaterThan(length(target, listing(73)) + 0.01);
    }

    /// Negative control: if a union were judged by the distribution that one of its drafters drew
    /// from, the enumeration would show it.
    @Test
    void theDistributionOfOneOfThemIsNotTheUnions() {
        var target = model(4);
        var claimed = new Claimed(union(4));

        assertThat(
                        ExactDistribution.error(
                                decoder(target, claimed, new MultiStepRule()),
                                target,
                                WARM,
                                PROMPT,
                                1,
                                2))
                .isGreaterThan(0.01);
    }

    private static double length(TableModel target, Drafter drafter) {
        return ExactDistribution.expectedLength(
                ExactDistribution.emitted(
                        decoder(target, drafter, new SampleAndMatchRule()), WARM, PROMPT, 1));
    }

    private static Decoder decoder(TableModel target, Drafter drafter, AcceptanceRule rule) {
        return new Decoder(
                TableTarget.of(target),
                Optional.of(drafter),
                rule,
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private static Drafter union(long seed) {
        var traits = DrafterTraits.tree(4, 2);
        return new Ensemble(
                traits,
                List.of(drawing(50 + seed), listing(70 + seed)),
                sessions -> new UnionSession(sessions, List.of("drawing", "listing"), 4));
    }

    /// Draws a chain of two.
    private static Drafter drawing(long seed) {
        return new TableDrafter(model(seed), new TreePlan.Chain(2), WARM);
    }

    /// Lists the two best guesses.
    private static Drafter listing(long seed) {
        return new TableDrafter(model(seed), new TreePlan.LevelWidths(List.of(2)), WARM);
    }

    private static TableModel model(long seed) {
        return TableModel.random(VOCABULARY, DistributionStyle.DENSE, seed);
    }

    /// Declares all its drafts as draws from one distribution.
    private record Claimed(Drafter honest) implements Drafter {
        @Override
        public DrafterTraits traits() {
            return honest.traits().selecting(Selection.Kind.INDEPENDENT).shaped(TreeShape.TREE);
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new Session(honest.open(request));
        }

        @Override
        public void close() {
            honest.close();
        }

        private record Session(DraftSession honest) implements DraftSession {
            @Override
            public void begin(int[] prompt, HiddenStates promptStates) {
                honest.begin(prompt, promptStates);
            }

            @Override
            public Draft propose(DraftBudget budget, Randomness randomness) {
                var tree = honest.propose(budget, randomness).tree();
                var flat = new double[VOCABULARY];
                Arrays.fill(flat, 1.0 / VOCABULARY);
                var distributions = DraftDistributions.builder();
                for (int node = 0; node < tree.size(); node++) {
                    distributions.put(node, flat);
                }
                return new Draft(tree, new Selection.Independent(distributions.build()));
            }

            @Override
            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                honest.observe(draft, verdict, scores);
            }

            @Override
            public void close() {
                honest.close();
            }
        }
    }
}
