package dev.outrider.engine.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DraftContractTest {
    private static final DraftBudget BUDGET = new DraftBudget(3, 2);
    private static final String WHO = "drafter 'Sample' in round 3";
    private static final double[] DISTRIBUTION = {.5, .5, 0};

    @Test
    void aProperDraftPasses() {
        assertThatCode(
                        check(
                                Selection.Kind.INDEPENDENT,
                                TreeShape.CHAIN,
                                chain(DISTRIBUTION, 0, 1)))
                .doesNotThrowAnyException();
        assertThatCode(check(Selection.Kind.INDEPENDENT, TreeShape.CHAIN, Draft.empty(2)))
                .doesNotThrowAnyException();
    }

    @Test
    void theRootIsTheLastCommittedToken() {
        var draft = Draft.empty(1);
        refused(draft, "proposed a tree with root 1, expected the last committed token 2");
    }

    @Test
    void theBudgetHolds() {
        var wide = TokenTree.builder(2);
        for (int node = 0; node < 4; node++) {
            wide.add(0, 0);
        }
        refused(
                new Draft(wide.build(), new Selection.PointMass()),
                "proposed 4 nodes, expected at most 3");
        refused(chain(DISTRIBUTION, 0, 0, 0), "proposed a tree of depth 3, expected at most 2");
    }

    @Test
    void unverifiedNodesCountAsNodesButNotAsDepth() {
        var window = TokenTree.builder(2);
        int deepest = 0;
        for (int node = 0; node < 3; node++) {
            deepest = window.addUnverified(deepest, 0);
        }
        var scored = new Draft(window.build(), new Selection.PointMass());
        assertThatCode(check(Selection.Kind.POINT_MASS, TreeShape.TREE, scored))
                .doesNotThrowAnyException();

        window.addUnverified(0, 1);
        refused(
                new Draft(window.build(), new Selection.PointMass()),
                "proposed 4 nodes, expected at most 3");
    }

    @Test
    void theDeclaredLimitsHoldWhateverTheBudget() {
        var traits = DrafterTraits.chain(3).selecting(Selection.Kind.INDEPENDENT).within(3, 2);
        var wide = TokenTree.builder(2);
        for (int node = 0; node < 4; node++) {
            wide.add(0, 0);
        }
        var ample = new DraftBudget(9, 9);
        var contract = new DraftContract(traits, 3, false, WHO);

        assertThatThrownBy(() ->
                        contract.check(
                                new Draft(wide.build(), new Selection.PointMass()), ample, 2))
                .hasMessage(message("proposed 4 nodes, expected at most 3 as it declares"));
        assertThatThrownBy(() -> contract.check(chain(DISTRIBUTION, 0, 0, 0), ample, 2))
                .hasMessage(
                        message("proposed a tree of depth 3, expected at most 2 as it declares"));
    }

    @Test
    void tokensAreInTheVocabulary() {
        refused(chain(DISTRIBUTION, 3), "proposed token 3 at node 1, expected 0 to 2");
    }

    @Test
    void theDraftAgreesWithTheDeclaredTraits() {
        refused(
                new Draft(TokenTree.chain(2, 0), new Selection.PointMass()),
                "proposed nodes chosen as POINT_MASS, expected INDEPENDENT as it declares");
        var forked = TokenTree.builder(2);
        forked.add(0, 0);
        forked.add(0, 1);
        var distributions = DraftDistributions.builder().put(0, DISTRIBUTION).build();
        refused(
                new Draft(forked.build(), new Selection.Independent(distributions)),
                "proposed a tree, expected a chain as it declares");
    }

    @Test
    void aGreedyTargetTakesAnySelection() {
        var traits = DrafterTraits.chain(4).selecting(Selection.Kind.INDEPENDENT);
        var argmax = new Draft(TokenTree.chain(2, 0), new Selection.PointMass());

        assertThatCode(() -> new DraftContract(traits, 3, true, WHO).check(argmax, BUDGET, 2))
                .doesNotThrowAnyException();
    }

    @Test
    void distributionsOfDrawsWithoutReplacementAreDistributionsToo() {
        var traits =
                DrafterTraits.chain(3).selecting(Selection.Kind.WITHOUT_REPLACEMENT).within(3, 2);
        var distributions = DraftDistributions.builder().put(0, new double[] {.5, .25, 0}).build();
        var draft =
                new Draft(TokenTree.chain(2, 0), new Selection.WithoutReplacement(distributions));

        assertThatThrownBy(() -> new DraftContract(traits, 3, false, WHO).check(draft, BUDGET, 2))
                .hasMessage(
                        message("recorded a distribution that sums to 0.75 at node 0, expected 1"));
    }

    @Test
    void distributionsAreRecordedDistributionsOverTheVocabulary() {
        var none = DraftDistributions.builder().build();
        refused(
                new Draft(TokenTree.chain(2, 0), new Selection.Independent(none)),
                "recorded no distribution for the children of node 0");
        refused(
                chain(new double[] {1, 0}, 0),
                "recorded a distribution over 2 tokens at node 0, expected 3");
        refused(
                chain(new double[] {Double.NaN, 1, 0}, 1),
                "recorded probability NaN of token 0 at node 0, expected 0 or more");
        refused(
                chain(new double[] {.5, .25, 0}, 0),
                "recorded a distribution that sums to 0.75 at node 0, expected 1");
        refused(
                chain(new double[] {1.5, -.5, 0}, 0),
                "recorded probability -0.5 of token 1 at node 0, expected 0 or more");
    }

    @Test
    void supportsAreTheirDistributions() {
        refused(
                supported(Support.of(new double[] {1, 0, 0})),
                "recorded a support that holds 0.5 of the distribution at node 0, expected all of it");
        refused(
                supported(Support.of(new double[] {1, 1, 0, 1})),
                "recorded token 3 after token 1 in the support of the distribution at node 0, expected rising tokens below 3");
    }

    private static Draft supported(Support support) {
        var distributions = DraftDistributions.builder().put(0, DISTRIBUTION, support).build();
        return new Draft(TokenTree.chain(2, 0), new Selection.Independent(distributions));
    }

    @Test
    void drawnTokensArePossible() {
        refused(
                chain(DISTRIBUTION, 2),
                "drew token 2 at node 1, to which its distribution gives probability 0");
    }

    @Test
    void drawsWithoutReplacementAreDistinct() {
        var tree = TokenTree.builder(2);
        tree.add(0, 1);
        tree.add(0, 1);
        var distributions = DraftDistributions.builder().put(0, DISTRIBUTION).build();
        var draft = new Draft(tree.build(), new Selection.WithoutReplacement(distributions));

        assertThatThrownBy(check(Selection.Kind.WITHOUT_REPLACEMENT, TreeShape.TREE, draft))
                .hasMessage(
                        message(
                                "drew token 1 twice without replacement, the second time at node 2"));
    }

    private static void refused(Draft draft, String problem) {
        assertThatThrownBy(check(Selection.Kind.INDEPENDENT, TreeShape.CHAIN, draft))
                .isInstanceOf(OutriderException.class)
                .hasMessage(message(problem));
    }

    private static String message(String problem) {
        return "CONTRACT_BROKEN: drafter 'Sample' in round 3 %s\n  This is a bug in the drafter: report it to its author."
                .formatted(problem);
    }

    private static ThrowingCallable check(Selection.Kind selection, TreeShape shape, Draft draft) {
        var traits = DrafterTraits.chain(4).shaped(shape).selecting(selection);
        return () -> new DraftContract(traits, 3, false, WHO).check(draft, BUDGET, 2);
    }

    private static Draft chain(double[] distribution, int... tokens) {
        var distributions = DraftDistributions.builder();
        for (int node = 0; node < tokens.length; node++) {
            distributions.put(node, distribution);
        }
        return new Draft(
                TokenTree.chain(2, tokens), new Selection.Independent(distributions.build()));
    }
}
