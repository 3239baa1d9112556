package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookup.LookupPlugin;
import dev.outrider.drafter.lookup.NgramConfig;
import dev.outrider.drafter.lookup.SuffixAutomatonConfig;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.tree.TreeShape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A choice has the traits of all its drafters, so a rule that cannot judge one of them is refused.
class ChoiceConfigTest {
    private static final DrafterChoice DRAWN =
            choice(
                    LookupPlugin.NGRAM,
                    new NgramConfig(Path.of("table"), 2, Drafting.of(new TreePlan.Chain(3)), 1));
    private static final DrafterChoice LOOKED_UP =
            choice(LookupPlugin.SUFFIX_AUTOMATON, new SuffixAutomatonConfig(10, 3, 2, 0, 1000));

    @Test
    void itBringsWhatAnyOfThemBrings() {
        var traits = Ensemble.anyOf(List.of(DRAWN, LOOKED_UP));

        assertThat(traits.selections())
                .containsExactlyInAnyOrder(Selection.Kind.INDEPENDENT, Selection.Kind.POINT_MASS);
        assertThat(traits.shape()).isEqualTo(TreeShape.TREE);
        assertThat(traits.maxDepth()).isEqualTo(10);
        assertThat(judges(new TokenRejectionRule(), DRAWN, LOOKED_UP)).isTrue();
        assertThat(judges(new MultiStepRule(), DRAWN)).isTrue();
    }

    private static boolean judges(AcceptanceRule rule, DrafterChoice... drafters) {
        return rule.traits().judges().containsAll(Ensemble.anyOf(List.of(drafters)).selections());
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> new ChoiceConfig(List.of(), 0.01))
                .hasMessage("drafters must list at least one, got 0");
        assertThatThrownBy(() -> new ChoiceConfig(List.of(DRAWN), 1))
                .hasMessage("trials 1.0 must be in [0, 1)");
    }

    private static <C extends Record> DrafterChoice choice(Drafter.Factory<C> factory, C config) {
        return new DrafterChoice(factory.name(), factory, config);
    }
}
