package dev.outrider.engine.random;

import dev.outrider.common.sampling.Softmax;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The randomness of one round, taken from keyed streams. A stream is opened once and then runs on, so that a
/// second draw at the same node is fresh. Confined to one thread.
public final class StreamRandomness implements Randomness {
    private final RandomStreams streams;
    private final int round;
    private final Map<Use, RandomGenerator> open = new HashMap<>();

    /// @param streams where generators come from
    /// @param round   number of the round, from 0
    public StreamRandomness(RandomStreams streams, int round) {
        this.streams = streams;
        this.round = round;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        return uniform(Randomness.Role.ACCEPT, node) * denominator < numerator;
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        return Categorical.draw(distribution, uniform(role, node));
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        return Categorical.draw(distribution, support, uniform(role, node));
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        return GumbelTopK.finishers(streams.ofPosition(position), distribution, count);
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        return open.computeIfAbsent(
                        new Use(role, node), use -> streams.stream(round, use.role(), use.node()))
                .nextDouble();
    }

    private record Use(Randomness.Role role, int node) {}

    /// Gumbel-max sampling as an exponential race: token x finishes at `E_x / distribution[x]`, and the first finisher has
    /// the distribution. The exponentials depend on the generator and the token alone, not on the distribution, so that two distributions
    /// raced with one generator are coupled.
    ///
    /// A token's exponential is a hash of the generator's first 128 bits and the token, so tokens without
    /// probability cost nothing, and a logarithm is taken only of those that can still be among the first.
    private static final class GumbelTopK {
        private static final double TO_UNIT = 0x1p-53;

        private GumbelTopK() {}

        /// The first finishers in order of arrival; see [dev.outrider.spi.sampling.Randomness#gumbelTopK].
        static int[] finishers(RandomGenerator generator, double[] distribution, int count) {
            long low = generator.nextLong();
            long high = generator.nextLong();
            var tokens = new int[Math.min(count, distribution.length)];
            var times = new double[tokens.length];
            Arrays.fill(times, Double.POSITIVE_INFINITY);
            int found = 0;
            double last = Double.POSITIVE_INFINITY;
            for (int token = 0; token < distribution.length; token++) {
                double weight = distribution[token];
                if (weight <= 0) {
                    continue;
                }
                double uniform = uniform(low, high, token);
                if (uniform >= last * weight) {
                    continue; // the exponential is larger than the uniform
                }
                double time = -Math.log1p(-uniform) / weight;
                if (time < last) {
                    insert(tokens, times, token, time);
                    found = Math.min(found + 1, tokens.length);
                    last = times[tokens.length - 1];
                }
            }
            if (found == 0) {
                throw new IllegalArgumentException("no token has positive weight");
            }
            return Arrays.copyOf(tokens, found);
        }

        private static void insert(int[] tokens, double[] times, int token, double time) {
            int place = times.length - 1;
            while (place > 0 && times[place - 1] > time) {
                times[place] = times[place - 1];
                tokens[place] = tokens[place - 1];
                place--;
            }
            times[place] = time;
            tokens[place] = token;
        }

        /// A number in `(0, 1)`, never 0: at 0 every token would finish at once.
        private static double uniform(long low, long high, int token) {
            long word =
                    SplitMix64.mix(SplitMix64.mix(low + (token + 1L) * SplitMix64.GOLDEN) ^ high);
            return ((word >>> 11) + .5) * TO_UNIT;
        }
    }

    /// Draws from a distribution given as weights.
    public static final class Categorical {
        private static final int BLOCK = 512;

        private Categorical() {}

        /// The token at which the running sum of the weights first exceeds `uniform` times their total.
        ///
        /// @param distribution     shape `[V]`, not negative, with a positive finite sum, which need not be 1
        /// @param uniform in `[0, 1)`
        /// @return a token with positive weight
        /// @throws IllegalArgumentException if the sum is not positive and finite
        public static int draw(double[] distribution, double uniform) {
            double total = 0;
            for (int start = 0; start < distribution.length; start += BLOCK) {
                total += sum(distribution, start);
            }
            double rest = uniform * requireDistribution(total);
            int start = 0;
            for (; start + BLOCK < distribution.length; start += BLOCK) {
                double block = sum(distribution, start);
                if (rest < block) {
                    break;
                }
                rest -= block;
            }
            return drawWithin(distribution, start, rest);
        }

        /// As [#draw(double\[\], double)], for a distribution whose positive weights are at the tokens of a support.
        ///
        /// @param distribution     shape `[V]`, 0 outside the support
        /// @param support may have tokens of weight 0
        /// @param uniform in `[0, 1)`
        /// @return a token with positive weight
        /// @throws IllegalArgumentException if the sum is not positive and finite
        public static int draw(double[] distribution, Support support, double uniform) {
            if (support.size() > distribution.length / 8) {
                return draw(distribution, uniform);
            }
            double total = 0;
            for (int index = 0; index < support.size(); index++) {
                total += distribution[support.token(index)];
            }
            double left = uniform * requireDistribution(total);
            int last = -1;
            for (int index = 0; index < support.size(); index++) {
                double weight = distribution[support.token(index)];
                if (weight > 0) {
                    last = support.token(index);
                    left -= weight;
                    if (left < 0) {
                        return last;
                    }
                }
            }
            return last;
        }

        private static double requireDistribution(double total) {
            if (!(total > 0 && total < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "weights sum to %s, expected a positive number".formatted(total));
            }
            return total;
        }

        /// Rounding can leave a small rest when the block is used up; then the next positive weight is returned, or the last one if
        /// there is none.
        private static int drawWithin(double[] distribution, int start, double rest) {
            double left = rest;
            for (int token = start; token < distribution.length; token++) {
                if (distribution[token] > 0) {
                    left -= distribution[token];
                    if (left < 0) {
                        return token;
                    }
                }
            }
            int last = distribution.length - 1;
            while (distribution[last] <= 0) {
                last--;
            }
            return last;
        }

        private static double sum(double[] values, int from) {
            return Softmax.sum(values, from, Math.min(values.length, from + BLOCK));
        }
    }
}
