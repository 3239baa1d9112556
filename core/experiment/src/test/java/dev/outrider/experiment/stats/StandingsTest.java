package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.stats.Ranking.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class StandingsTest {
    private static final double NOISE = .1;

    @Test
    void ratiosAreGeometricMeansAndTheirInverseTheOtherWayRound() {
        double[][] rows = rows(20, 3, 4);
        var rankings = of(rows);
        var first = get(rankings, 0).against().getFirst().ratio();
        var second = get(rankings, 1).against().getFirst().ratio();
        double mean =
                Arrays.stream(rows).mapToDouble(row -> row[0] - row[1]).average().orElseThrow();
        assertThat(first.value()).isCloseTo(Math.exp(mean), within(1e-12));
        assertThat(second.value()).isCloseTo(1 / first.value(), within(1e-12));
        assertThat(second.low().orElseThrow())
                .isCloseTo(1 / first.high().orElseThrow(), within(1e-12));
        assertThat(rankings.values().stream().mapToDouble(Ranking::probabilityBest).sum())
                .isCloseTo(1, within(1e-9));
    }

    /// An effect of a prompt that is the same for all variants must not matter.
    @Test
    void differencesOfPromptsCancel() {
        double[][] rows = rows(12, 3, 5);
        double[][] shifted = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            double by = 3 * i;
            shifted[i] = Arrays.stream(rows[i]).map(value -> value + by).toArray();
        }
        var one = get(of(rows), 0).against().getFirst().ratio();
        var other = get(of(shifted), 0).against().getFirst().ratio();
        assertThat(other.low().orElseThrow()).isCloseTo(one.low().orElseThrow(), within(1e-9));
    }

    /// Six equal variants, 15 pairs. If the rate of wrong verdicts is 5 %, more than 9.5 % of 200 trials have one with a chance of 0.2 %.
    @Test
    void seldomNamesAWinnerAmongEqualsWhereIntervalsOfSinglePairsOftenWould() {
        int wrong = 0;
        int uncorrected = 0;
        for (int trial = 0; trial < 200; trial++) {
            double[][] rows = rows(16, 6, trial);
            wrong += anySlower(of(rows)) ? 1 : 0;
            uncorrected += trial < 50 && anyPairSlower(rows) ? 1 : 0;
        }
        assertThat(wrong / 200.0).isLessThan(.095);
        assertThat(uncorrected / 50.0).isGreaterThan(.2);
    }

    /// Two equal variants with five interim analyses. The bound is that of the test above.
    @Test
    @Tag("nightly")
    void lookingOftenDoesNotMakeWrongWinnersLikelier() {
        var interimAnalysis = SequentialTest.schedule(8, 36);
        assertThat(interimAnalysis).containsExactly(8, 12, 18, 27, 36);
        int wrong = 0;
        int uncorrected = 0;
        for (int trial = 0; trial < 200; trial++) {
            double[][] rows = rows(36, 2, 1000 + trial);
            wrong +=
                    wrongAtAnyLook(rows, interimAnalysis, Rankings.ALPHA / interimAnalysis.size())
                            ? 1
                            : 0;
            uncorrected += wrongAtAnyLook(rows, interimAnalysis, Rankings.ALPHA) ? 1 : 0;
        }
        assertThat(wrong / 200.0).isLessThan(.095);
        assertThat(uncorrected / 200.0).isGreaterThan(.1);
    }

    @Test
    void namesTheFastestAndHowMuchSlowerTheOthersAre() {
        double[][] rows = rows(40, 3, 7);
        for (double[] row : rows) {
            row[1] += Math.log(1.3);
        }
        var rankings = of(rows);
        assertThat(rankings.values())
                .extracting(Ranking::verdict)
                .containsExactly(Verdict.SLOWER, Verdict.FASTEST, Verdict.SLOWER);
        assertThat(Rankings.decided(rankings)).isTrue();
        assertThat(get(rankings, 1).probabilityBest()).isCloseTo(1, within(1e-9));
        assertThat(get(rankings, 0).toBest().below(1)).isTrue();
        assertThat(get(rankings, 1).morePrompts()).isEmpty();
    }

    @Test
    void sidesThatAreShownToBeAlikeAreTied() {
        double[][] rows = rows(60, 2, 8);
        for (double[] row : rows) {
            row[1] = row[0] + (row[1] - row[0]) / 100;
        }
        var rankings = of(rows);
        assertThat(rankings.values()).extracting(Ranking::verdict).containsOnly(Verdict.TIED);
        assertThat(Rankings.decided(rankings)).isTrue();
    }

    @Test
    void fewPromptsShowNothingAndOneHasNoInterval() {
        assertThat(of(rows(5, 2, 1)).values())
                .extracting(Ranking::verdict)
                .containsOnly(Verdict.UNKNOWN);
        assertThat(get(of(rows(1, 2, 1)), 0).against().getFirst().ratio().low()).isEmpty();
        assertThat(get(of(rows(1, 2, 1)), 0).against().getFirst().ratio().value()).isPositive();
    }

    @Test
    void promptsDecodedTogetherAreOneIndependentPrompt() {
        assertThat(Rankings.of(names(2), rows(2, 2, 1), 3, Rankings.ALPHA, 0).values())
                .extracting(Ranking::verdict)
                .containsOnly(Verdict.UNKNOWN);
        assertThat(Rankings.of(names(2), rows(6, 2, 1), 8, Rankings.ALPHA, 0).values())
                .extracting(Ranking::verdict)
                .doesNotContain(Verdict.UNKNOWN);
    }

    /// The same prompts again and again: the stated number of further prompts decides, an eighth of it does not.
    @Test
    void asManyMorePromptsAsItSaysWouldDecide() {
        double[][] rows = rows(12, 2, 3);
        double difference =
                Arrays.stream(rows).mapToDouble(row -> row[0] - row[1]).average().orElseThrow();
        for (double[] row : rows) {
            row[0] += .025 - difference;
        }
        var ranking = get(of(rows), 1);
        assertThat(ranking.verdict()).isEqualTo(Verdict.OPEN);
        int more = Math.toIntExact(ranking.morePrompts().orElseThrow());
        assertThat(get(of(repeated(rows, 12 + more)), 1).verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(get(of(repeated(rows, 12 + more / 8)), 1).verdict()).isEqualTo(Verdict.OPEN);
    }

    private static double[][] repeated(double[][] rows, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> rows[i % rows.length])
                .toArray(double[][]::new);
    }

    private static boolean wrongAtAnyLook(
            double[][] rows, List<Integer> interimAnalysis, double alpha) {
        return interimAnalysis.stream()
                .anyMatch(size ->
                        anySlower(
                                Rankings.of(names(2), Arrays.copyOf(rows, size), 1, alpha, size)));
    }

    private static boolean anySlower(Map<String, Ranking> rankings) {
        return rankings.values().stream().anyMatch(each -> each.verdict() == Verdict.SLOWER);
    }

    private static boolean anyPairSlower(double[][] rows) {
        for (int i = 0; i < rows[0].length; i++) {
            for (int j = 0; j < i; j++) {
                int one = i;
                int other = j;
                double[][] pair =
                        Arrays.stream(rows)
                                .map(row -> new double[] {row[one], row[other]})
                                .toArray(double[][]::new);
                if (anySlower(of(pair))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Map<String, Ranking> of(double[][] rows) {
        return Rankings.of(names(rows[0].length), rows, 1, Rankings.ALPHA, 0);
    }

    private static Ranking get(Map<String, Ranking> rankings, int variant) {
        return List.copyOf(rankings.values()).get(variant);
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "variant " + i).toList();
    }

    /// Equal variants, with different noise for each of them.
    private static double[][] rows(int prompts, int variants, long seed) {
        var random = new SplittableRandom(seed);
        var rows = new ArrayList<double[]>();
        for (int i = 0; i < prompts; i++) {
            double prompt = random.nextGaussian();
            rows.add(
                    IntStream.range(0, variants)
                            .mapToDouble(variant ->
                                    prompt
                                            + NOISE
                                                    * (1 + variant)
                                                    * random.nextGaussian()
                                                    / variants)
                            .toArray());
        }
        return rows.toArray(double[][]::new);
    }
}
