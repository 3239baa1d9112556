package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.audit.RoundFault.Bonus;
import dev.outrider.audit.RoundFault.Correction;
import dev.outrider.audit.RoundFault.Rounds;
import dev.outrider.audit.RoundFault.Stale;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundFaultTest {
    private static final int TOKENS = 5;
    private static final int LENGTH = 2;
    private static final RoundFault CORRECT = RoundFault.correct(Toy.CORRECT, Toy.DRAFTS);

    static List<Change<RoundFault>> faults() {
        var simple = RoundFault.all(List.of());
        var pairs =
                simple.stream()
                        .flatMap(first ->
                                Stream.concat(
                                                simple.stream(),
                                                Toy.CORRECT.changes().stream()
                                                        .limit(3)
                                                        .map(RoundFault::onTarget))
                                        .map(first::and));
        return Stream.of(
                        Stream.of(new Change<RoundFault>("correct", fault -> fault)),
                        RoundFault.all(Toy.CORRECT.changes()).stream(),
                        Toy.CORRECT.changes().stream().map(RoundFault::everywhere),
                        pairs)
                .flatMap(each -> each)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void theForwardRecursionIsTheSumOverAllDraftsAndOutcomes(Change<RoundFault> change) {
        var fault = change.apply(CORRECT);
        var random = new SplittableRandom(change.name().hashCode());
        for (int times = 0; times < 4; times++) {
            int[] text =
                    Toy.text(Toy.oracle(), new Alternative.Made("", Toy.CORRECT), TOKENS, random);

            double enumerated = new Enumeration(fault, text).probability();

            assertThat(likelihood(fault, text)).isCloseTo(enumerated, within(1e-12));
        }
    }

    @Test
    void aCorrectServerFollowsPlainDecodingAtEveryPlace() {
        var rounds = rounds(CORRECT);
        var random = new SplittableRandom(3);
        int[] text = random.ints(20, 0, Toy.VOCABULARY).toArray();
        rounds.begin(0);
        Toy.oracle()
                .read(
                        Toy.PROMPT.array(),
                        List.of(),
                        text,
                        place -> {
                            assertThat(rounds.predict(place))
                                    .containsExactly(
                                            place.distribution(Toy.CORRECT), within(1e-12));
                            rounds.observe(place, place.distribution(Toy.CORRECT));
                        });
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyFaultIsADistribution(Change<RoundFault> change) {
        var rounds = rounds(change.apply(CORRECT));
        int[] text = new SplittableRandom(4).ints(20, 0, Toy.VOCABULARY).toArray();
        rounds.begin(0);
        Toy.oracle()
                .read(
                        Toy.PROMPT.array(),
                        List.of(),
                        text,
                        place -> {
                            double[] predicted = rounds.predict(place);
                            assertThat(predicted).doesNotContain(Double.NaN);
                            assertThat(Arrays.stream(predicted).min().orElseThrow())
                                    .isGreaterThanOrEqualTo(0);
                            assertThat(Arrays.stream(predicted).sum()).isCloseTo(1, within(1e-12));
                            rounds.observe(place, predicted);
                        });
    }

    private static Rounds rounds(RoundFault fault) {
        return new Rounds("", fault, LENGTH, 99, Toy.VOCABULARY);
    }

    private static double likelihood(RoundFault fault, int[] text) {
        var rounds = rounds(fault);
        double[] product = {1};
        rounds.begin(0);
        Toy.oracle()
                .read(
                        Toy.PROMPT.array(),
                        List.of(),
                        text,
                        place -> {
                            double[] p = place.distribution(Toy.CORRECT);
                            product[0] *= rounds.density(place, p);
                            rounds.observe(place, p);
                        });
        return product[0];
    }

    /// Computes the probability of a text, summed over every drafted token and every decision; the noise of a round is an interval.
    private static final class Enumeration {
        private final RoundFault fault;
        private final int[] text;
        private final double[][] first;
        private final double[][][] p = new double[LENGTH + 1][TOKENS][];
        private final double[][][] q = new double[LENGTH + 1][TOKENS][];
        private final double[][][] stated = new double[LENGTH + 1][TOKENS][];
        private final double[][][] judged = new double[LENGTH + 1][TOKENS][];
        private final double[][][] corrected = new double[LENGTH + 1][TOKENS][];

        Enumeration(RoundFault fault, int[] text) {
            this.fault = fault;
            this.text = text;
            this.first = rows(fault.target(), 0);
            for (int depth = 0; depth <= LENGTH; depth++) {
                int missing = fault.stale() == Stale.NEVER ? 0 : depth;
                int late = fault.stale() == Stale.ALWAYS ? depth : 0;
                p[depth] = rows(fault.target(), late);
                q[depth] = rows(fault.drawn(), late);
                for (int place = 0; place < TOKENS; place++) {
                    double[] row = q[depth][place].clone();
                    Arrays.setAll(
                            q[depth][place],
                            token -> row[Math.floorMod(token - fault.shift(), row.length)]);
                }
                stated[depth] = rows(fault.stated(), late);
                judged[depth] = rows(fault.judged(), missing);
                corrected[depth] = rows(fault.corrected(), missing);
            }
        }

        private double[][] rows(Setting setting, int missing) {
            var rows = new double[TOKENS][];
            Toy.oracle()
                    .read(
                            Toy.PROMPT.array(),
                            List.of(),
                            text,
                            place -> rows[place.index()] = place.stale(setting, missing).clone());
            return rows;
        }

        double probability() {
            return .5 * round(0) + .5 * first[0][text[0]] * round(1);
        }

        private double round(int place) {
            return place == TOKENS ? 1 : drafted(place, 0, 1);
        }

        /// @param to largest value of the round's coin, where the round has a coin
        private double drafted(int place, int depth, double to) {
            if (place == TOKENS) {
                return 1;
            }
            int written = text[place];
            if (depth == LENGTH) {
                double bonus =
                        fault.bonus() == Bonus.DRAFT
                                ? q[depth][place][written]
                                : p[depth][place][written];
                return bonus * round(place + 1);
            }
            double sum = 0;
            double[] rest = rest(place, depth);
            for (int guess = 0; guess < Toy.VOCABULARY; guess++) {
                double drawn = q[depth][place][guess];
                if (drawn == 0) {
                    continue;
                }
                double said = stated[depth][place][guess];
                double judge = judged[depth][place][guess];
                double ratio = said > 0 ? judge / said : Math.signum(judge);
                double limit = to;
                double accept =
                        switch (fault.acceptance()) {
                            case ALWAYS -> 1;
                            case ONE_COIN -> {
                                limit = Math.min(to, ratio);
                                yield limit / to;
                            }
                            case DRAFTS_NOISE -> {
                                double below = Arrays.stream(q[depth][place], 0, guess).sum();
                                yield Math.max(0, Math.min(below + drawn, ratio) - below) / drawn;
                            }
                            default -> Math.min(1, ratio);
                        };
                if (guess == written && accept > 0) {
                    sum += drawn * accept * drafted(place + 1, depth + 1, limit);
                }
                sum += drawn * (1 - accept) * rest[written] * round(place + 1);
            }
            return sum;
        }

        private double[] rest(int place, int depth) {
            double[] target = corrected[depth][place];
            double[] rest =
                    IntStream.range(0, target.length)
                            .mapToDouble(token ->
                                    fault.correction() == Correction.TARGET
                                            ? target[token]
                                            : Math.max(
                                                    0, target[token] - stated[depth][place][token]))
                            .toArray();
            double mass = Arrays.stream(rest).sum();
            return mass > 0 ? Arrays.stream(rest).map(each -> each / mass).toArray() : target;
        }
    }
}
