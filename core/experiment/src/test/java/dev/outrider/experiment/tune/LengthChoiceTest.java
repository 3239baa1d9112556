package dev.outrider.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.results.RoundLine;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LengthChoiceTest {
    private static final DrafterFamily FAMILY =
            new DrafterFamily("d", "use: d", List.of(1, 2, 3, 5, 8), List.of());

    /// A draft takes 10 and 5 a level, a pass 100 and 10 for each further row, the rest 20. Half of the drafts are right, the others not at all.
    @Test
    void cutsTheLongestChainAtTheMeasuredTimes() {
        var rounds = new ArrayList<RoundLine>();
        for (int i = 0; i < 8; i++) {
            rounds.add(round("plain", 0, 0, 0));
            rounds.add(round("d, chain of 3", 3, i % 2 * 3, 25));
            rounds.add(round("d, chain of 8", 8, i % 2 * 8, 50));
        }

        var found = new LengthChoice(rounds).of(FAMILY);

        assertThat(found.keySet()).containsExactly(1, 2, 3, 5, 8);
        found.forEach((length, speedup) ->
                assertThat(speedup)
                        .isCloseTo(
                                120
                                        * (1 + length / 2.0)
                                        / (100 + 10 * length + 10 + 5 * length + 20),
                                within(1e-9)));
    }

    @Test
    void saysNothingAboutWhatWasNotMeasured() {
        var plain = List.of(round("plain", 0, 0, 0));

        assertThat(new LengthChoice(plain).of(FAMILY)).isEmpty();
        assertThat(new LengthChoice(List.of()).of(FAMILY)).isEmpty();
    }

    @Test
    void aDraftOfOneStepCostsTheSameAtEveryLength() {
        var rounds = new ArrayList<RoundLine>();
        for (int i = 0; i < 4; i++) {
            rounds.add(round("plain", 0, 0, 0));
            rounds.add(round("d, chain of 3", 3, 1, 30));
            rounds.add(round("d, chain of 8", 8, 1, 30));
        }

        assertThat(new LengthChoice(rounds).of(FAMILY))
                .contains(entry(1, 120.0 * 2 / (110 + 30 + 20)));
    }

    private static RoundLine round(String variant, int depth, int accepted, long draft) {
        var times = new StageTimes(draft, 100 + 10 * depth, 5, 5, 5, 5);
        return new RoundLine(
                variant,
                "p",
                0,
                new RoundLine.Round(depth, depth, accepted, accepted + 1, times, Optional.empty()));
    }
}
