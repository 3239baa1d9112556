package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A suite must meet what a rule declares: every selection, in every shape.
class MetDraftsTest {
    private static final TreePlan CHAIN = new TreePlan.Chain(2);
    private static final TreePlan DISTINCT = new TreePlan.SampledWithoutReplacement(List.of(1, 1));

    private final MetDrafts met = new MetDrafts();

    @Test
    void everyDeclaredSelectionMustOccur() {
        propose(CHAIN, Toy.PLAIN);
        propose(DISTINCT, Toy.PLAIN);

        assertThatThrownBy(() -> met.assertAllOf(new TokenRejectionRule().traits()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("kinds of drafts that rule 'token' was tried on")
                .hasMessageContaining(
                        "expected: a collection with all of [CHAIN chosen as POINT_MASS")
                .hasMessageEndingWith(
                        "got: [CHAIN chosen as INDEPENDENT, CHAIN chosen as WITHOUT_REPLACEMENT]");
        propose(CHAIN, SamplingPolicy.argmax());
        assertThatCode(() -> met.assertAllOf(new TokenRejectionRule().traits()))
                .doesNotThrowAnyException();
    }

    @Test
    void chainsAndTreesMustOccurForATreeRule() {
        var traits = traits(Selection.Kind.INDEPENDENT);
        propose(new TreePlan.SampledWithReplacement(List.of(2)), Toy.PLAIN);

        assertThatThrownBy(() -> met.assertAllOf(traits))
                .hasMessageContaining("with all of [CHAIN chosen as INDEPENDENT")
                .hasMessageEndingWith("got: [TREE chosen as INDEPENDENT]");
        propose(CHAIN, Toy.PLAIN);
        assertThatCode(() -> met.assertAllOf(traits)).doesNotThrowAnyException();
    }

    @Test
    void aSingleGuessIsNeitherChainNorTree() {
        propose(new TreePlan.Chain(1), Toy.PLAIN);

        assertThatThrownBy(() -> met.assertAllOf(traits(Selection.Kind.INDEPENDENT)))
                .hasMessageContaining("[CHAIN chosen as INDEPENDENT, TREE chosen as INDEPENDENT]");
    }

    private static RuleTraits traits(Selection.Kind selection) {
        return RuleTraits.exact("any", Set.of(selection), TreeShape.TREE, "nowhere");
    }

    private void propose(TreePlan plan, SamplingPolicy policy) {
        var model = TableModel.random(3, DistributionStyle.DENSE, 1);
        var drafter = met.watched(new TableDrafter(model, plan, policy));
        var decoder = Toy.decoder(TableTarget.of(model), drafter, new SampleAndMatchRule());
        ExactDistribution.emitted(decoder, Toy.PLAIN, Toy.PROMPT, 1);
    }
}
