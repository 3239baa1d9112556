package dev.outrider.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.results.RoundLine;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LengthChoiceTest {
    private static final DrafterFamily FAMILY =
            new DrafterFamily("d", "use: d", List.of(1, 2, 3, 5, 8), List.of());
    private static final Candidate LOOKUP = Candidate.single("lookup", "lookup");
    private static final Probe PROBE = TuningTest.probe(List.of(FAMILY), List.of(LOOKUP));
    private static final Offset<Double> DIGITS = within(1e-9);
    private static final Offset<Double> PERCENT = within(0.02);

    /// A draft takes 10, and 5 per level; a pass 100, and 10 for each further row; the rest 20. Half of the drafts are right as a
    /// whole, the others are completely wrong.
    @Test
    void cutsTheLongestChainAtTheMeasuredTimes() {
        var rounds = new ArrayList<RoundLine>();
        for (int i = 0; i < 8; i++) {
            rounds.add(round("plain", 0, 0, 0));
            rounds.add(round("d, chain of 3", 3, i % 2 * 3, 25));
            rounds.add(round("d, chain of 8", 8, i % 2 * 8, 50));
            rounds.add(round("lookup", 2, 2, 4));
        }

        var found = prices(rounds);

        assertThat(found.keySet()).extracting(Candidate::length).containsExactly(1, 2, 3, 5, 8, 0);
        for (int length : FAMILY.lengths()) {
            assertThat(found)
                    .hasEntrySatisfying(
                            FAMILY.chain(length),
                            speedup -> assertThat(speedup).isCloseTo(expected(length), DIGITS));
        }
        assertThat(found)
                .hasEntrySatisfying(
                        LOOKUP,
                        speedup ->
                                assertThat(speedup).isCloseTo(120 * 3 / (120 + 4 + 20.0), DIGITS));
    }

    /// Every tenth time is ten times as long, and so is that of the only pass of two rows.
    @Test
    void aFewLongTimesDoNotMoveIt() {
        var rounds = new ArrayList<RoundLine>();
        for (int i = 0; i < 40; i++) {
            int factor = i % 10 == 3 ? 10 : 1;
            rounds.add(round("plain", 0, 0, 0, factor));
            rounds.add(round("d, chain of 3", 3, i % 2 * 3, 25, factor));
            rounds.add(round("d, chain of 8", 8, i % 2 * 8, 50, factor));
        }
        rounds.add(round("d, chain of 8", 1, 1, 15, 10));

        var found = prices(rounds);

        for (int length : List.of(3, 5, 8)) {
            assertThat(found)
                    .hasEntrySatisfying(
                            FAMILY.chain(length),
                            speedup -> assertThat(speedup).isCloseTo(expected(length), PERCENT));
        }
    }

    @Test
    void saysNothingAboutWhatWasNotMeasured() {
        assertThat(prices(List.of(round("plain", 0, 0, 0)))).isEmpty();
        assertThat(prices(List.of())).isEmpty();
    }

    @Test
    void aDraftOfOneStepCostsTheSameAtEveryLength() {
        var rounds = new ArrayList<RoundLine>();
        for (int i = 0; i < 4; i++) {
            rounds.add(round("plain", 0, 0, 0));
            rounds.add(round("d, chain of 3", 3, 1, 30));
            rounds.add(round("d, chain of 8", 8, 1, 30));
        }

        assertThat(prices(rounds))
                .hasEntrySatisfying(
                        FAMILY.chain(1),
                        speedup ->
                                assertThat(speedup).isCloseTo(120.0 * 2 / (110 + 30 + 20), DIGITS));
    }

    private static double expected(int length) {
        return 120 * (1 + length / 2.0) / (100 + 10 * length + 10 + 5 * length + 20);
    }

    private static Map<Candidate, Double> prices(List<RoundLine> rounds) {
        return new LengthChoice(rounds).prices(PROBE);
    }

    private static RoundLine round(String variant, int depth, int accepted, long draft) {
        return round(variant, depth, accepted, draft, 1);
    }

    private static RoundLine round(
            String variant, int depth, int accepted, long draft, int factor) {
        long rest = 5L * factor;
        var times =
                new StageTimes(
                        draft * factor, factor * (100 + 10L * depth), rest, rest, rest, rest);
        return new RoundLine(
                variant,
                "p",
                0,
                new RoundLine.Round(depth, depth, accepted, accepted + 1, times, Optional.empty()));
    }
}
