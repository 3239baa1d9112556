package dev.outrider.nn.network;

import dev.outrider.common.Require;

/// The representation of a token's position in a stack.
public sealed interface Positions {
    /// Queries and keys are rotated (Su et al. 2021, RoPE).
    record Rotary() implements Positions {}

    /// A learned vector for each position is added to the embedding.
    ///
    /// @param rows   rows of the table
    /// @param offset row of position 0; BART keeps two for padding
    record Learned(int rows, int offset) implements Positions {
        public Learned {
            Require.atLeast("rows", rows, 1);
            Require.atLeast("offset", offset, 0);
        }
    }

    /// Sines of the position in the first half of a vector and cosines in the second are added to the embedding.
    ///
    /// @see "Vaswani et al. 2017, section 3.5; Marian stores the halves one after the other"
    record Sinusoidal() implements Positions {
        private static final double BASE = 10_000;

        /// Returns the vectors of positions 0 to `positions - 1`, `[positions, size]`. Computed in double precision, then
        /// rounded.
        ///
        /// @throws ArithmeticException if there are more numbers than an array holds
        public static float[] table(int positions, int size) {
            var numbers = new float[Math.multiplyExact(positions, size)];
            int half = size / 2;
            for (int position = 0; position < positions; position++) {
                for (int pair = 0; pair < half; pair++) {
                    double angle = position / Math.pow(BASE, 2.0 * pair / size);
                    numbers[position * size + pair] = (float) StrictMath.sin(angle);
                    numbers[position * size + half + pair] = (float) StrictMath.cos(angle);
                }
            }
            return numbers;
        }
    }

    /// Every head adds a learned number to its scores. The number depends on the distance of the key from the query, by buckets
    /// that become wider with the distance; all layers share them.
    ///
    /// @param buckets     number of buckets
    /// @param maxDistance all distances from here on share the last bucket
    /// @see "Raffel et al. 2020 (T5), section 2.1; Shaw et al. 2018"
    record Relative(int buckets, int maxDistance) implements Positions {
        public Relative {
            Require.atLeast("buckets", buckets, 2);
            Require.that(
                    buckets % 2 == 0 && maxDistance > buckets / 2,
                    "%d buckets up to distance %d; expected an even number, and a distance above half of it",
                    buckets,
                    maxDistance);
        }

        /// Returns the bucket of a distance.
        ///
        /// @param distance   position of the key minus that of the query
        /// @param bothSides  whether keys may be before and after a query, so that both sides share the buckets; otherwise all
        ///                   keys after the query are in the first bucket
        public int bucket(int distance, boolean bothSides) {
            int own = bothSides ? buckets / 2 : buckets;
            int base = bothSides && distance > 0 ? own : 0;
            int far = bothSides ? Math.abs(distance) : Math.max(0, -distance);
            int exact = own / 2;
            if (far < exact) {
                return base + far;
            }
            // Single precision, as in the models' training: it decides the bucket at the borders.
            float share =
                    (float) Math.log((float) far / exact)
                            / (float) Math.log((double) maxDistance / exact)
                            * (own - exact);
            return base + Math.min(exact + (int) share, own - 1);
        }

        /// Returns the biases of the buckets as a table by distance.
        ///
        /// @param weights   `[buckets, heads]`
        /// @param reach     distances from here on are alike
        /// @param bothSides as in [#bucket]
        /// @return `[heads, 2 * reach + 1]`, by distances from `-reach` on
        public float[] byDistance(float[] weights, int heads, int reach, boolean bothSides) {
            int width = 2 * reach + 1;
            var numbers = new float[Math.multiplyExact(heads, width)];
            for (int distance = -reach; distance <= reach; distance++) {
                int bucket = bucket(distance, bothSides);
                for (int head = 0; head < heads; head++) {
                    numbers[head * width + reach + distance] = weights[bucket * heads + head];
                }
            }
            return numbers;
        }
    }
}
