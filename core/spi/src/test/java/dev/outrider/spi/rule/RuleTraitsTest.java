package dev.outrider.spi.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleTraitsTest {
    private static final Set<Selection.Kind> ANY = Selection.Kind.any();

    @Test
    void aPromiseIsExactSometimesOrNever() {
        var exact = RuleTraits.exact("a", ANY, TreeShape.TREE, "paper");
        var greedy = RuleTraits.exactWhenGreedy("a", ANY, TreeShape.TREE, "paper");
        var lossy = RuleTraits.lossy("a", ANY, TreeShape.TREE, "paper");

        assertThat(exact.lossless()).isTrue();
        assertThat(exact.greedyOnly()).isFalse();
        assertThat(greedy.lossless()).isTrue();
        assertThat(greedy.greedyOnly()).isTrue();
        assertThat(lossy.lossless()).isFalse();
        assertThat(lossy.greedyOnly()).isFalse();
    }

    @Test
    void aRuleHasANameAndASourceAndJudgesSomething() {
        assertThatThrownBy(() -> RuleTraits.exact(" ", ANY, TreeShape.TREE, "paper"))
                .hasMessage("name ' ' and source 'paper' of a rule must not be blank");
        assertThatThrownBy(() -> RuleTraits.exact("mine", ANY, TreeShape.TREE, ""))
                .hasMessage("name 'mine' and source '' of a rule must not be blank");
        assertThatThrownBy(() -> RuleTraits.lossy("mine", Set.of(), TreeShape.TREE, "paper"))
                .hasMessage("rule 'mine' judges no kind of selection, expected at least one");
    }
}
