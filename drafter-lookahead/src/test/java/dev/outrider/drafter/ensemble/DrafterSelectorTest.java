package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.ensemble.ChoiceSession.Chooser;
import dev.outrider.drafter.ensemble.DrafterSelector.SelectorExperience;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests the choice between two drafters and plain decoding by the tokens and the time of their rounds.
class DrafterSelectorTest {
    private static final int NO_PART = 2;

    @Test
    void theFirstDraftsWhereNobodyTellsTheTime() {
        var chooser = new DrafterSelector(new SelectorExperience(2, 0.01));

        for (int round = 0; round < 50; round++) {
            assertThat(chooser.next()).isZero();
        }
    }

    @Test
    void whoGivesMostForItsTimeDrafts() {
        var chooser = new DrafterSelector(new SelectorExperience(2, 0.01));

        assertThat(last(chooser, 400, List.of(2.0, 3.0, 1.0), List.of(3.0, 2.0, 1.0)))
                .filteredOn(part -> part == 1)
                .hasSizeGreaterThan(90);
        assertThat(last(chooser, 400, List.of(1.0, 1.0, 1.0), List.of(3.0, 2.0, 1.0)))
                .describedAs("once no guess is right any more")
                .filteredOn(part -> part == NO_PART)
                .hasSizeGreaterThan(90);
        assertThat(last(chooser, 6000, List.of(6.0, 1.0, 1.0), List.of(3.0, 2.0, 1.0)))
                .describedAs("once another one becomes right")
                .filteredOn(part -> part == 0)
                .hasSizeGreaterThan(90);
    }

    @Test
    void trialsCostNoMoreThanTheirShare() {
        var chooser = new DrafterSelector(new SelectorExperience(2, 0.02));
        last(chooser, 100, List.of(1.0, 1.0, 1.0), List.of(5.0, 2.0, 1.0));
        double lost = 0;
        double spent = 0;
        for (int round = 0; round < 10_000; round++) {
            double nanos = List.of(5.0, 2.0, 1.0).get(chooser.next());
            chooser.observe(1, 100 * nanos);
            lost += nanos - 1;
            spent += nanos;
        }

        assertThat(lost / spent).isBetween(0.01, 0.021);
    }

    @Test
    void whatOneSequenceLearnedTheNextBeginsWith() {
        var experience = new SelectorExperience(2, 0);
        last(new DrafterSelector(experience), 100, List.of(1.0, 4.0, 1.0), List.of(2.0, 2.0, 1.0));

        assertThat(new DrafterSelector(experience).next()).isEqualTo(1);
    }

    /// Returns the drafters of the last hundred of some rounds.
    private static List<Integer> last(
            Chooser chooser, int rounds, List<Double> tokens, List<Double> passes) {
        var parts = new ArrayList<Integer>();
        for (int round = 0; round < rounds; round++) {
            int part = chooser.next();
            parts.add(part);
            chooser.observe(tokens.get(part).intValue(), 100 * passes.get(part));
        }
        return parts.subList(rounds - 100, rounds);
    }
}
