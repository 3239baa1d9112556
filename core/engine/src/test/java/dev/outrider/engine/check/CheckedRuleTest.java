package dev.outrider.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CheckedRuleTest {
    private static final Draft CHAIN =
            new Draft(TokenTree.chain(0, 1, 2), new Selection.PointMass());

    @Test
    void aPathAndAPossibleTokenPass() {
        assertThat(decide(CHAIN, verdict(1, 1, 2)).acceptedNodes()).containsExactly(1, 2);
        assertThat(decide(CHAIN, verdict(0)).acceptedNodes()).isEmpty();
    }

    @Test
    void acceptedNodesAreAPathOfTheTree() {
        refused(verdict(0, 3), "accepted node 3, expected 1 to 2");
        refused(verdict(0, 0), "accepted node 0, expected 1 to 2");
        refused(verdict(0, 2), "accepted node 2 after node 0, expected a child of it");
        refused(verdict(0, 1, 1), "accepted node 1 after node 1, expected a child of it");
    }

    @Test
    void unverifiedNodesAreNeverAccepted() {
        var tree = TokenTree.builder(0);
        tree.addUnverified(0, 1);
        var window = new Draft(tree.build(), new Selection.PointMass());

        assertThatThrownBy(() -> decide(window, verdict(0, 1)))
                .hasMessage(message("accepted node 1, which is unverified"));
    }

    @Test
    void theNextTokenMustBePossible() {
        refused(verdict(3), "emitted token 3, expected 0 to 2");
        refused(
                verdict(2),
                "emitted token 2 after node 0, where the target gives it probability 0");
    }

    @Test
    void aLossyRuleMayEmitAnImpossibleToken() {
        var lossy = traits(TreeShape.TREE, false);

        assertThat(
                        checked(lossy, verdict(2), Set.of())
                                .decide(CHAIN, new Distributions(), NO_COINS))
                .isEqualTo(verdict(2));
    }

    @Test
    void whatADraftWasDrawnFromStaysAsItWas() {
        var row = new double[] {.25, .75, 0};
        var kept = DraftDistributions.builder().put(0, row).put(1, row.clone()).build();
        var draft = new Draft(TokenTree.chain(0, 1, 1), new Selection.Independent(kept));
        var rule = checked(traits(TreeShape.TREE, true), verdict(1, 1, 2), Set.of());

        assertThat(rule.decide(draft, new Distributions(), NO_COINS).acceptedLength()).isEqualTo(2);
        row[0] = .75;
        row[1] = .25;
        assertThatThrownBy(() -> rule.decide(draft, new Distributions(), NO_COINS))
                .hasMessageStartingWith(
                        "CONTRACT_BROKEN: drafter in round 4 changed the distribution at node 0 after it was recorded");
    }

    @Test
    void aRuleForChainsSeesNoTree() {
        var forked = TokenTree.builder(0);
        forked.add(0, 1);
        forked.add(0, 2);
        var draft = new Draft(forked.build(), new Selection.PointMass());

        assertThatThrownBy(() ->
                        checked(traits(TreeShape.CHAIN, true), verdict(0), Set.of())
                                .decide(draft, new Distributions(), NO_COINS))
                .hasMessageStartingWith(
                        "CONTRACT_BROKEN: drafter in round 4 proposed a tree to rule 'sample', expected a chain");
    }

    @Test
    void aRuleSeesNoSelectionItIsNotExactFor() {
        var rule =
                checked(
                        traits(TreeShape.TREE, true),
                        verdict(0),
                        Set.of(Selection.Kind.INDEPENDENT));

        assertThatThrownBy(() -> rule.decide(CHAIN, new Distributions(), NO_COINS))
                .hasMessageStartingWith(
                        "CONTRACT_BROKEN: drafter in round 4 proposed nodes chosen as POINT_MASS to rule 'sample', which is exact for [INDEPENDENT]");
        assertThat(rule.decide(Draft.empty(0), new Distributions(), NO_COINS))
                .isEqualTo(verdict(0));
    }

    private static void refused(Verdict verdict, String problem) {
        assertThatThrownBy(() -> decide(CHAIN, verdict))
                .isInstanceOf(OutriderException.class)
                .hasMessage(message(problem));
    }

    private static String message(String problem) {
        return "CONTRACT_BROKEN: acceptance rule 'sample' in round 4 %s\n  This is a bug in the acceptance rule: report it to its author."
                .formatted(problem);
    }

    private static Verdict decide(Draft draft, Verdict verdict) {
        return checked(traits(TreeShape.TREE, true), verdict, Set.of())
                .decide(draft, new Distributions(), NO_COINS);
    }

    private static CheckedRule checked(
            RuleTraits traits, Verdict verdict, Set<Selection.Kind> expected) {
        var rule =
                new AcceptanceRule() {
                    @Override
                    public RuleTraits traits() {
                        return traits;
                    }

                    @Override
                    public Verdict decide(
                            Draft draft, TargetDistributions target, Randomness randomness) {
                        if (draft.selection() instanceof Selection.Independent(var drawn)) {
                            assertThat(drawn.row(0)).hasSize(3);
                        }
                        return verdict;
                    }
                };
        return new CheckedRule(rule, expected, () -> 4);
    }

    private static RuleTraits traits(TreeShape shape, boolean lossless) {
        var judges = Set.of(Selection.Kind.POINT_MASS);
        return lossless
                ? RuleTraits.exact("sample", judges, shape, "nowhere")
                : RuleTraits.lossy("sample", judges, shape, "nowhere");
    }

    private static Verdict verdict(int next, Integer... nodes) {
        return new Verdict(List.of(nodes), next, Origin.CORRECTION);
    }

    /// Token 2 has probability 0 everywhere.
    private static final class Distributions implements TargetDistributions {
        @Override
        public int vocabularySize() {
            return 3;
        }

        @Override
        public double[] distribution(int node) {
            return new double[] {.5, .5, 0};
        }

        @Override
        public int position(int node) {
            return node;
        }

        @Override
        public int mode(int node) {
            return 0;
        }
    }

    private static final Randomness NO_COINS =
            new Randomness() {
                @Override
                public boolean accept(int node, double numerator, double denominator) {
                    throw new AssertionError("nothing random is decided here");
                }

                @Override
                public int draw(Randomness.Role role, int node, double[] distribution) {
                    throw new AssertionError("nothing random is decided here");
                }

                @Override
                public int[] gumbelTopK(int position, double[] distribution, int count) {
                    throw new AssertionError("nothing random is decided here");
                }

                @Override
                public double uniform(Randomness.Role role, int node) {
                    throw new AssertionError("nothing random is decided here");
                }
            };
}
