package dev.outrider.testkit;

import dev.outrider.engine.random.Forks;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Randomness that takes every outcome in turn: the experiment is repeated until each sequence of
/// outcomes has occurred once, and its result is weighted with the product of their probabilities.
/// Production code runs unchanged.
///
/// Confined to one thread.
final class ForkedRandomness implements Randomness {
    private final Forks forks = new Forks();
    private final Map<Integer, GumbelNoise> noises = new HashMap<>();

    private ForkedRandomness() {}

    /// {@return the distribution of an experiment's result}
    ///
    /// @param experiment a function of its randomness alone; its result has value equality
    /// @param <T> type of the result
    public static <T> Map<T, Double> enumerate(Function<ForkedRandomness, T> experiment) {
        var randomness = new ForkedRandomness();
        var distribution = new HashMap<T, Double>();
        do {
            randomness.noises.clear();
            T result = experiment.apply(randomness);
            distribution.merge(result, randomness.forks.weight(), Double::sum);
        } while (randomness.forks.next());
        return distribution;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        double chance = Math.min(1, numerator / denominator);
        return forks.choose(new int[] {1, 0}, new double[] {chance, 1 - chance}) == 1;
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        return draw(distribution, IntStream.range(0, distribution.length));
    }

    /// @throws AssertionError if the distribution is positive outside the support, or the support's
    ///     tokens are not ascending: real randomness may read the support alone
    @Override
    public int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        requireSupport("draw %s at node %d".formatted(role, node), distribution, support);
        return draw(distribution, IntStream.range(0, support.size()).map(support::token));
    }

    private int draw(double[] distribution, IntStream among) {
        int[] tokens = among.filter(token -> distribution[token] > 0).toArray();
        double total = Arrays.stream(tokens).mapToDouble(token -> distribution[token]).sum();
        return forks.choose(
                tokens, Arrays.stream(tokens).mapToDouble(t -> distribution[t] / total).toArray());
    }

    private static void requireSupport(String what, double[] distribution, Support support) {
        int next = 0;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            require(
                    token >= next && token < distribution.length,
                    "%s has token %d in its support at index %d, expected rising tokens, %d to %d here",
                    what,
                    token,
                    index,
                    next,
                    distribution.length - 1);
            requireZero(what, distribution, next, token);
            next = token + 1;
        }
        requireZero(what, distribution, next, distribution.length);
    }

    private static void requireZero(String what, double[] distribution, int from, int to) {
        for (int token = from; token < to; token++) {
            require(
                    distribution[token] <= 0,
                    "%s gives token %d weight %s, expected 0: its support does not hold the token",
                    what,
                    token,
                    distribution[token]);
        }
    }

    private static void require(boolean holds, String problem, Object... values) {
        if (!holds) {
            throw new AssertionError(problem.formatted(values));
        }
    }

    @Override
    public int[] gumbelTopK(int place, double[] distribution, int count) {
        var noise = noises.computeIfAbsent(place, _ -> GumbelNoise.unknown(distribution.length));
        double[] running = distribution.clone();
        var finishers = IntStream.builder();
        for (int i = 0; i < count && Arrays.stream(running).anyMatch(weight -> weight > 0); i++) {
            var byWinner = noise.byWinner(running);
            double volume = noise.volume();
            int winner =
                    forks.choose(
                            byWinner.keySet().stream().mapToInt(Integer::intValue).toArray(),
                            byWinner.values().stream()
                                    .mapToDouble(part -> part.volume() / volume)
                                    .toArray());
            noise = Objects.requireNonNull(byWinner.get(winner));
            running[winner] = 0;
            finishers.add(winner);
        }
        noises.put(place, noise);
        return finishers.build().toArray();
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        throw new UnsupportedOperationException(
                "a continuous variable cannot be enumerated; test this code with real streams");
    }

    /// The possible values of the noise of one position, given the winners so far.
    ///
    /// Only the direction of V independent exponentials decides a race, and it is uniform over the
    /// standard simplex: a distribution is a point of it, and token x wins in the part of the
    /// simplex that has the distribution in place of corner x. After some races the possible values
    /// are an intersection of such parts, stored as a list of small simplices with their volumes.
    /// So a continuous noise is enumerated exactly, as forks over the winners with ratios of
    /// volumes as probabilities, for any number of distributions that use the same noise.
    ///
    /// Immutable.
    private static final class GumbelNoise {
        private static final double ON_THE_EDGE = 1e-15;

        private final List<Piece> pieces;

        private GumbelNoise(List<Piece> pieces) {
            this.pieces = pieces;
        }

        /// Returns noise without any known race.
        static GumbelNoise unknown(int vocabulary) {
            var corners = new double[vocabulary][vocabulary];
            for (int token = 0; token < vocabulary; token++) {
                corners[token][token] = 1;
            }
            return new GumbelNoise(List.of(new Piece(corners, 1)));
        }

        double volume() {
            return pieces.stream().mapToDouble(Piece::volume).sum();
        }

        /// Returns the noise for each winning token, in order of tokens; tokens that cannot win are
        /// left out.
        ///
        /// @param distribution weights, shape `[V]`, at least one of them positive
        Map<Integer, GumbelNoise> byWinner(double[] distribution) {
            var won = new HashMap<Integer, List<Piece>>();
            int leader = -1;
            for (int token = 0; token < distribution.length; token++) {
                if (distribution[token] <= 0) {
                    continue;
                }
                if (leader < 0) {
                    leader = token;
                    won.put(token, pieces);
                } else {
                    won = challenge(won, token, distribution);
                }
            }
            var byWinner = new TreeMap<Integer, GumbelNoise>();
            won.forEach((token, part) -> {
                if (!part.isEmpty()) {
                    byWinner.put(token, new GumbelNoise(part));
                }
            });
            return byWinner;
        }

        /// Compares one more token with the winner so far.
        private static HashMap<Integer, List<Piece>> challenge(
                Map<Integer, List<Piece>> won, int challenger, double[] distribution) {
            var after = new HashMap<Integer, List<Piece>>();
            var taken = new ArrayList<Piece>();
            won.forEach((leader, part) -> {
                var kept = new ArrayList<Piece>();
                for (var piece : part) {
                    piece.cut(lead(piece, leader, challenger, distribution), kept, taken);
                }
                after.put(leader, kept);
            });
            after.put(challenger, taken);
            return after;
        }

        /// Returns at each corner how much later the leader finishes than the challenger: `E_l p_c
        /// - E_c p_l`.
        private static double[] lead(
                Piece piece, int leader, int challenger, double[] distribution) {
            double scale = 0;
            for (double weight : distribution) {
                scale += weight;
            }
            var lead = new double[piece.corners.length];
            for (int corner = 0; corner < lead.length; corner++) {
                double[] at = piece.corners[corner];
                lead[corner] =
                        (at[leader] * distribution[challenger]
                                        - at[challenger] * distribution[leader])
                                / scale;
            }
            return lead;
        }

        /// A simplex.
        private record Piece(double[][] corners, double volume) {
            /// Divides it where a linear function is 0, one edge after the other.
            void cut(double[] value, List<Piece> below, List<Piece> above) {
                int high = -1;
                int low = -1;
                for (int corner = 0; corner < value.length; corner++) {
                    high = value[corner] > ON_THE_EDGE ? corner : high;
                    low = value[corner] < -ON_THE_EDGE ? corner : low;
                }
                if (high < 0 || low < 0) {
                    (high < 0 ? below : above).add(this);
                    return;
                }
                double share = value[high] / (value[high] - value[low]);
                var middle = new double[value.length];
                for (int token = 0; token < middle.length; token++) {
                    middle[token] =
                            (1 - share) * corners[high][token] + share * corners[low][token];
                }
                replaced(high, middle, 1 - share).cut(withZero(value, high), below, above);
                replaced(low, middle, share).cut(withZero(value, low), below, above);
            }

            private Piece replaced(int corner, double[] by, double volumeShare) {
                double[][] changed = corners.clone();
                changed[corner] = by;
                return new Piece(changed, volume * volumeShare);
            }

            private static double[] withZero(double[] value, int corner) {
                double[] changed = value.clone();
                changed[corner] = 0;
                return changed;
            }
        }
    }
}
