package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.random.CoinSupply;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.Verdict;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Mistakes that released engines made. The enumeration must see every one of them: a control that passes
/// means the tables are too tame. The margins are about half of what algorithms C3 lists.
class NegativeControlsTest {
    private static final int SEEDS = 12;

    @Test
    void argmaxDraftsJudgedBySoftmaxLaws() {
        assertThat(
                        worst(
                                seed ->
                                        Toy.spoilt(
                                                new TableDrafter(
                                                        draft(seed),
                                                        new TreePlan.Chain(2),
                                                        SamplingPolicy.argmax()),
                                                (honest, before) ->
                                                        withLaws(honest, draft(seed), 1)),
                                new TokenRejectionRule()))
                .isGreaterThan(.15);
    }

    @Test
    void draftsDrawnAtAnotherTemperatureThanDeclared() {
        assertThat(
                        worst(
                                seed ->
                                        Toy.spoilt(
                                                sampled(seed, .5),
                                                (honest, before) ->
                                                        withLaws(honest, draft(seed), 1)),
                                new TokenRejectionRule()))
                .isGreaterThan(.07);
    }

    @Test
    void aBonusDrawnWithoutTheTemperature() {
        assertThat(worst(seed -> sampled(seed, 1), new UntemperedBonus(.5))).isGreaterThan(.03);
    }

    @Test
    void leavingOutASampledTokenAfterLookingAtIt() {
        assertThat(
                        worst(
                                seed ->
                                        Toy.spoilt(
                                                sampled(seed, 1),
                                                (honest, before) -> dropUnlikely(honest)),
                                new TokenRejectionRule()))
                .isGreaterThan(.08);
    }

    @Test
    void oneCoinForAllPositionsOfARound() {
        double worst = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var target = target(seed);
            var decoder =
                    Toy.decoder(TableTarget.of(target), sampled(seed, 1), new TokenRejectionRule());
            var emitted =
                    ExactLaw.emitted(decoder, Toy.PLAIN, Toy.PROMPT, 1, coins -> sharedCoin(coins));
            var law = ExactLaw.completed(emitted, target, Toy.PLAIN, Toy.PROMPT, 3);
            var expected = ExactLaw.ofTarget(target, Toy.PLAIN, Toy.PROMPT, 3);
            worst = Math.max(worst, ExactLaw.distance(law, expected));
        }
        assertThat(worst).isGreaterThan(.035);
    }

    @Test
    void aResidualThatForgetsToSubtractTheDraftLaw() {
        assertThat(worst(seed -> sampled(seed, 1), new WithoutResidual())).isGreaterThan(.05);
    }

    @Test
    void theHonestPairingPassesWithTheSameTables() {
        assertThat(worst(seed -> sampled(seed, 1), new TokenRejectionRule())).isLessThan(1e-12);
    }

    private static double worst(Function<Integer, Drafter> drafter, AcceptanceRule rule) {
        var policy =
                rule instanceof UntemperedBonus(double temperature)
                        ? SamplingPolicy.atTemperature(temperature)
                        : Toy.PLAIN;
        double worst = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var target = target(seed);
            var decoder = Toy.decoder(TableTarget.of(target), drafter.apply(seed), rule);
            worst = Math.max(worst, ExactLaw.error(decoder, target, policy, Toy.PROMPT, 1, 3));
        }
        return worst;
    }

    private static TableModel target(int seed) {
        return TableModel.random(3, LawStyle.DENSE, 100 + seed);
    }

    private static TableModel draft(int seed) {
        return TableModel.random(3, LawStyle.DENSE, 500 + seed);
    }

    private static Drafter sampled(int seed, double temperature) {
        return new TableDrafter(
                draft(seed), new TreePlan.Chain(2), SamplingPolicy.atTemperature(temperature));
    }

    private static Draft withLaws(Draft draft, TableModel model, double temperature) {
        var tree = draft.tree();
        var laws = DraftLaws.builder();
        for (int node = 0; node < tree.draftedNodes(); node++) {
            var prefix = new int[node + Toy.PROMPT.length];
            System.arraycopy(Toy.PROMPT, 0, prefix, 0, Toy.PROMPT.length);
            for (int step = 1; step <= node; step++) {
                prefix[Toy.PROMPT.length + step - 1] = tree.token(step);
            }
            laws.put(node, model.law(SamplingPolicy.atTemperature(temperature), prefix));
        }
        return new Draft(tree, new Selection.Independent(laws.build()));
    }

    /// Ends the chain before a token its own law finds unlikely.
    private static Draft dropUnlikely(Draft draft) {
        var laws = ((Selection.Independent) draft.selection()).laws();
        var tree = TokenTree.builder(draft.tree().token(0));
        var kept = DraftLaws.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            int token = draft.tree().token(node + 1);
            if (laws.row(node)[token] < .3) {
                break;
            }
            kept.put(node, laws.row(node));
            tree.add(node, token);
        }
        return new Draft(tree.build(), new Selection.Independent(kept.build()));
    }

    /// All accept tests of a round compare the same uniform: having passed one, it passes a wider one surely.
    private static CoinSupply sharedCoin(Coins coins) {
        return round ->
                new Coins() {
                    private double below = 1;

                    @Override
                    public boolean accept(int node, double numerator, double denominator) {
                        double limit = Math.min(1, numerator / denominator);
                        boolean accepted = coins.accept(node, Math.min(limit, below), below);
                        below = Math.min(limit, below);
                        return accepted;
                    }

                    @Override
                    public int draw(StreamRole role, int node, double[] law) {
                        return coins.draw(role, node, law);
                    }

                    @Override
                    public int[] race(int position, double[] law, int count) {
                        return coins.race(position, law, count);
                    }

                    @Override
                    public double uniform(StreamRole role, int node) {
                        return coins.uniform(role, node);
                    }
                };
    }

    /// Draws the bonus from the softmax at temperature 1, whatever the policy says.
    private record UntemperedBonus(double temperature) implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return new TokenRejectionRule().traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
            return new TokenRejectionRule()
                    .decide(
                            draft,
                            target,
                            spoilDraws(
                                    coins,
                                    StreamRole.BONUS,
                                    law -> {
                                        var untempered = law.clone();
                                        for (int token = 0; token < law.length; token++) {
                                            untempered[token] = Math.pow(law[token], temperature);
                                        }
                                        return untempered;
                                    }));
        }
    }

    /// Draws corrections from p instead of the residual.
    private record WithoutResidual() implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return new TokenRejectionRule().traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
            var rejectedAt = new int[1];
            var watched = spoilDraws(coins, StreamRole.RESIDUAL, law -> target.law(rejectedAt[0]));
            var watching =
                    new Coins() {
                        @Override
                        public boolean accept(int node, double numerator, double denominator) {
                            rejectedAt[0] = node - 1;
                            return watched.accept(node, numerator, denominator);
                        }

                        @Override
                        public int draw(StreamRole role, int node, double[] law) {
                            return watched.draw(role, node, law);
                        }

                        @Override
                        public int[] race(int position, double[] law, int count) {
                            return watched.race(position, law, count);
                        }

                        @Override
                        public double uniform(StreamRole role, int node) {
                            return watched.uniform(role, node);
                        }
                    };
            return new TokenRejectionRule().decide(draft, target, watching);
        }
    }

    private static Coins spoilDraws(Coins coins, StreamRole spoiled, UnaryOperator<double[]> law) {
        return new Coins() {
            @Override
            public boolean accept(int node, double numerator, double denominator) {
                return coins.accept(node, numerator, denominator);
            }

            @Override
            public int draw(StreamRole role, int node, double[] honest) {
                return coins.draw(role, node, role == spoiled ? law.apply(honest) : honest);
            }

            @Override
            public int[] race(int position, double[] law, int count) {
                return coins.race(position, law, count);
            }

            @Override
            public double uniform(StreamRole role, int node) {
                return coins.uniform(role, node);
            }
        };
    }
}
