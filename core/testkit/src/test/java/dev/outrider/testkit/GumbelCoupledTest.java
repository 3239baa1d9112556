package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The coupled rule and its race: by enumeration of the noise itself (see [GumbelNoise]), by Monte
/// Carlo over the real streams, and end to end.
class GumbelCoupledTest {
    private static final List<TreePlan> DRAFTS =
            List.of(
                    new TreePlan.Coupled(List.of(1, 1)),
                    new TreePlan.Coupled(List.of(2, 1)),
                    new TreePlan.LevelWidths(List.of(2, 2)),
                    new TreePlan.Chain(2),
                    new TreePlan.SampledWithReplacement(List.of(2, 1)),
                    new TreePlan.SampledWithoutReplacement(List.of(2, 1)));
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void theRuleIsExactForEverySelectionAndTree(DistributionStyle target, DistributionStyle draft) {
        for (int vocabulary = 3; vocabulary <= 4; vocabulary++) {
            var p = TableModel.random(vocabulary, target, 21);
            var q = TableModel.random(vocabulary, draft, 22);
            for (var plan : vocabulary == 3 ? DRAFTS : DRAFTS.subList(0, 3)) {
                var decoder = decoder(p, new TableDrafter(q, plan, Toy.PLAIN));
                ExactDistribution.assertExact(decoder, p, Toy.PLAIN, Toy.PROMPT, 1, 3);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void theNoiseOfRejectedGuessesMayBeUsedAgain(
            DistributionStyle target, DistributionStyle draft) {
        var p = TableModel.random(3, target, 31);
        var coupled =
                new TableDrafter(
                        TableModel.random(3, draft, 32),
                        new TreePlan.Coupled(List.of(1, 1)),
                        Toy.PLAIN);
        for (AcceptanceRule rule :
                List.of(
                        new GumbelCoupledRule(),
                        new SampleAndMatchRule(),
                        new TokenRejectionRule())) {
            var decoder = Toy.decoder(TableTarget.of(p), coupled, rule);
            ExactDistribution.assertExact(decoder, p, Toy.PLAIN, Toy.PROMPT, 2, 4);
        }
    }

    /// Why coupled nodes are a point mass: block verification looks at guesses that it then
    /// rejects, and the next round's guesses use the same noise.
    @Test
    void declaringCoupledDrawsAsIndependentIsCaught() {
        var p = TableModel.random(3, DistributionStyle.DENSE, 31);
        var coupled =
                new TableDrafter(
                        TableModel.constant(Q), new TreePlan.Coupled(List.of(1, 1)), Toy.PLAIN);
        var boastful = Toy.spoilt(coupled, (draft, before) -> declaredIndependent(draft));
        var decoder = Toy.decoder(TableTarget.of(p), boastful, new BlockVerificationRule());

        // The declared q is not rounded to the table's 32-bit logits.
        assertThat(ExactDistribution.error(decoder, p, Toy.PLAIN, Toy.PROMPT, 1, 3))
                .isLessThan(1e-7);
        assertThat(ExactDistribution.error(decoder, p, Toy.PLAIN, Toy.PROMPT, 2, 4))
                .isGreaterThan(1e-3);
    }

    /// Over every value of the noise at every position and every draw of the drafters, the same
    /// tokens come out for every drafter. A second round drafts from three tokens on; only there can
    /// a draft use the noise of an earlier round's guesses.
    @Test
    void theOutputForANoiseIsTheSameWithAnyDrafterAndWithNone() {
        var p = TableModel.random(3, DistributionStyle.DENSE, 41);
        var q = TableModel.random(3, DistributionStyle.DENSE, 42);
        var always = List.of(new TreePlan.Coupled(List.of(1, 1)), new TreePlan.Chain(2));
        for (var plan : DRAFTS) {
            boolean twoRounds = Boolean.getBoolean("outrider.nightly") || always.contains(plan);
            var request =
                    new DecodeRequest(Toy.PROMPT, twoRounds ? 3 : 2, Toy.PLAIN, List.of(), true);
            var drafted = decoder(p, new TableDrafter(q, plan, Toy.PLAIN));
            var plain = plain(p);
            var agreement =
                    ForkedRandomness.enumerate(randomness -> {
                        int[] one = drafted.decode(request, _ -> randomness).tokens();
                        int[] other = plain.decode(request, _ -> randomness).tokens();
                        return Arrays.equals(one, other);
                    });
            assertThat(agreement).containsOnlyKeys(true);
            assertThat(agreement.get(true)).isCloseTo(1, within(1e-12));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void acceptanceIsTheClosedForm(DistributionStyle target, DistributionStyle draft) {
        for (int vocabulary = 3; vocabulary <= 4; vocabulary++) {
            double[] p =
                    TableModel.random(vocabulary, target, 51).distribution(Toy.PLAIN, Toy.PROMPT);
            double[] q =
                    TableModel.random(vocabulary, draft, 52).distribution(Toy.PLAIN, Toy.PROMPT);
            var distribution = ForkedRandomness.enumerate(randomness -> agree(randomness, 5, p, q));

            double overlap =
                    IntStream.range(0, p.length).mapToDouble(x -> Math.min(p[x], q[x])).sum();
            assertThat(distribution.getOrDefault(true, 0.0))
                    .isCloseTo(acceptance(p, q), within(1e-12))
                    .isBetween(overlap / (2 - overlap) - 1e-12, overlap + 1e-12);
        }
    }

    @Test
    void finishersAreDrawnWithoutReplacement() {
        double[] distribution = {.1, .2, .3, .4};
        var orders =
                ForkedRandomness.enumerate(randomness ->
                        Arrays.stream(randomness.gumbelTopK(0, distribution, 3)).boxed().toList());

        assertThat(orders).hasSize(24);
        orders.forEach((order, mass) ->
                assertThat(mass).isCloseTo(withoutReplacement(order, distribution), within(1e-12)));
    }

    /// 200,000 positions: five standard errors of a frequency are at most .0056.
    @Test
    void realStreamsHaveTheDistributionTheOrderAndTheAcceptance() {
        int positions = 200_000;
        int agreed = 0;
        var winners = new int[3];
        var orders = new HashMap<List<Integer>, Integer>();
        var randomness = new StreamRandomness(new KeyedRandomStreams(3, 1), 0);
        for (int position = 0; position < positions; position++) {
            agreed += agree(randomness, position, P, Q) ? 1 : 0;
            winners[randomness.gumbelTopK(position, P, 1)[0]]++;
            var order = Arrays.stream(randomness.gumbelTopK(position, Q, 2)).boxed().toList();
            orders.merge(order, 1, Integer::sum);
        }

        assertThat((double) agreed / positions).isCloseTo(acceptance(P, Q), within(.0056));
        for (int token = 0; token < 3; token++) {
            assertThat((double) winners[token] / positions).isCloseTo(P[token], within(.0056));
        }
        orders.forEach((order, count) ->
                assertThat((double) count / positions)
                        .isCloseTo(withoutReplacement(order, Q), within(.0056)));
    }

    @Test
    void theNoiseIsThePositionsAloneAndDiffersBetweenPositionsSeedsAndRequests() {
        double[] distribution = IntStream.range(0, 1000).mapToDouble(_ -> 1).toArray();
        var randomness = new StreamRandomness(new KeyedRandomStreams(3, 1), 0);
        int token = randomness.gumbelTopK(17, distribution, 1)[0];

        assertThat(randomness.gumbelTopK(17, distribution, 1)).containsExactly(token);
        assertThat(
                        new StreamRandomness(new KeyedRandomStreams(3, 1), 9)
                                .gumbelTopK(17, distribution, 1))
                .containsExactly(token);
        assertThat(randomness.gumbelTopK(18, distribution, 1)).doesNotContain(token);
        assertThat(
                        new StreamRandomness(new KeyedRandomStreams(3, 2), 0)
                                .gumbelTopK(17, distribution, 1))
                .doesNotContain(token);
        assertThat(
                        new StreamRandomness(new KeyedRandomStreams(4, 1), 0)
                                .gumbelTopK(17, distribution, 1))
                .doesNotContain(token);
    }

    @Test
    void aSeedsOutputDoesNotDependOnTheDrafterEndToEnd() {
        var p = TableModel.random(7, DistributionStyle.DENSE, 61);
        var outputs = new ArrayList<List<Integer>>();
        int drafterMatteredToOneHot = 0;
        for (int request = 0; request < 40; request++) {
            var randomness = RandomnessSource.of(new KeyedRandomStreams(8, request));
            var expected = tokens(plain(p), randomness);
            outputs.add(expected);
            for (int other = 0; other < 2; other++) {
                var q = TableModel.random(7, DistributionStyle.DENSE, 62 + other);
                for (var plan : DRAFTS) {
                    var drafter = new TableDrafter(q, plan, Toy.PLAIN);
                    assertThat(tokens(decoder(p, drafter), randomness)).isEqualTo(expected);
                    var oneHot = Toy.decoder(TableTarget.of(p), drafter, new SampleAndMatchRule());
                    drafterMatteredToOneHot += tokens(oneHot, randomness).equals(expected) ? 0 : 1;
                }
            }
        }

        assertThat(outputs).doesNotHaveDuplicates();
        assertThat(drafterMatteredToOneHot).isGreaterThan(400);
    }

    /// Coupling makes independent drafts agree; without it they agree with probability sum p q.
    @Test
    void coupledDraftsAreAcceptedMoreOftenThanIndependentOnes() {
        var p = TableModel.constant(P);
        var q = TableModel.constant(Q);
        var coupled = decoder(p, new TableDrafter(q, new TreePlan.Coupled(List.of(1)), Toy.PLAIN));
        var sampled = decoder(p, new TableDrafter(q, new TreePlan.Chain(1), Toy.PLAIN));

        assertThat(length(coupled) - 1).isCloseTo(acceptance(P, Q), within(1e-6));
        assertThat(length(sampled) - 1).isCloseTo(.5 * .2 + .3 * .5 + .2 * .3, within(1e-6));
        assertThat(acceptance(P, Q)).isCloseTo(.693548, within(1e-6));
    }

    private static Draft declaredIndependent(Draft draft) {
        var distributions = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            distributions.put(node, Q);
        }
        return new Draft(draft.tree(), new Selection.Independent(distributions.build()));
    }

    private static double length(Decoder decoder) {
        return ExactDistribution.expectedLength(
                ExactDistribution.emitted(decoder, Toy.PLAIN, Toy.PROMPT, 1));
    }

    private static boolean agree(Randomness randomness, int position, double[] p, double[] q) {
        return randomness.gumbelTopK(position, p, 1)[0] == randomness.gumbelTopK(position, q, 1)[0];
    }

    /// sum over x of 1 / sum over y of max(p_y / p_x, q_y / q_x).
    private static double acceptance(double[] p, double[] q) {
        double total = 0;
        for (int x = 0; x < p.length; x++) {
            if (p[x] > 0 && q[x] > 0) {
                double slower = 0;
                for (int y = 0; y < p.length; y++) {
                    slower += Math.max(p[y] / p[x], q[y] / q[x]);
                }
                total += 1 / slower;
            }
        }
        return total;
    }

    private static double withoutReplacement(List<Integer> order, double[] distribution) {
        double mass = 1;
        double left = Arrays.stream(distribution).sum();
        for (int token : order) {
            mass *= distribution[token] / left;
            left -= distribution[token];
        }
        return mass;
    }

    private static List<Integer> tokens(Decoder decoder, RandomnessSource randomness) {
        var request = new DecodeRequest(Toy.PROMPT, 24, Toy.PLAIN, List.of(), true);
        return Arrays.stream(decoder.decode(request, randomness).tokens()).boxed().toList();
    }

    private static Decoder decoder(TableModel target, Drafter drafter) {
        return Toy.decoder(TableTarget.of(target), drafter, new GumbelCoupledRule());
    }

    private static Decoder plain(TableModel target) {
        return Decoder.plain(TableTarget.of(target), new GumbelCoupledRule(), () -> 0);
    }
}
