package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TokenTree;
import org.junit.jupiter.api.Test;

/// The law of the next sibling where hardly anything, or nothing, is left of it.
class SiblingLawTest {
    @Test
    void whatIsLeftIsCountedWhereSubtractionWouldLoseIt() {
        var law = law(1, 1e-20, 3e-20);
        law.drawn(0);

        assertThat(law.of(1)).isCloseTo(.25, within(1e-15));
        assertThat(law.of(2)).isCloseTo(.75, within(1e-15));
    }

    @Test
    void siblingsMayComeInAnyOrder() {
        var law = law(.1, .2, .7);
        law.drawn(2);
        assertThat(law.of(0)).isCloseTo(1. / 3, within(1e-15));
        law.drawn(1);

        assertThat(law.of(0)).isEqualTo(1);
        assertThat(law.of(1)).isZero();
        assertThat(law.of(2)).isZero();
    }

    @Test
    void aLawThatIsUsedUpHasNothingForTheOthers() {
        var law = law(.5, .5, 0);
        law.drawn(0);
        law.drawn(1);

        assertThat(law.of(2)).isZero();
    }

    private static SiblingLaw law(double... law) {
        var laws = DraftLaws.builder().put(0, law).build();
        var tree = TokenTree.chain(9, 0);
        return SiblingLaw.at(new Draft(tree, new Selection.WithoutReplacement(laws)), 0);
    }
}
