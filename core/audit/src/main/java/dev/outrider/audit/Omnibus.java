package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;
import java.util.random.RandomGenerator;

/// Alternatives for faults without a name: each learns the difference from plain decoding from the text so far, and predicts that
/// it continues (docs/reference/algorithms.md C7).
final class Omnibus {
    private static final int BINS = 16;
    private static final int PAIR_BINS = 6;
    private static final double PRIOR = 4;

    private Omnibus() {}

    /// All of them.
    ///
    /// @param draft  settings of a draft model's distribution, if it is known
    /// @param random draws the share of a token's mass in its quantile
    static List<Alternative> all(int vocabulary, List<Setting> draft, RandomGenerator random) {
        Order likely = (_, token, p) -> -p[token];
        Order near = (_, token, _) -> token;
        var all = new ArrayList<Alternative>();
        all.add(new Quantiles("likely tokens too often or too rarely", 1, random, likely));
        all.add(new Quantiles("likely tokens after likely ones", PAIR_BINS, random, likely));
        var neighbours = "neighbours in the vocabulary after neighbours";
        all.add(new Quantiles(neighbours, PAIR_BINS, random, near));
        for (var q : draft) {
            Order favoured = (place, token, p) -> p[token] / place.distribution(q)[token];
            all.add(new Quantiles("tokens that the draft favours", 1, random, favoured));
        }
        all.add(new Tilt("single tokens too often or too rarely", vocabulary, (_, token) -> token));
        all.add(new Tilt("tokens that were there before too often or too rarely", 3, Place::seen));
        all.add(new Repeats());
        all.add(new Impossible());
        return all;
    }

    /// An order of the tokens at a place.
    @FunctionalInterface
    interface Order {
        double key(Place place, int token, double[] p);
    }

    /// Bins of the token's randomised quantile in an order, given the bin of the token before; counted with half a token in each
    /// (Krichevsky and Trofimov 1981).
    private static final class Quantiles implements Alternative {
        private final String name;
        private final int contexts;
        private final int bins;
        private final RandomGenerator random;
        private final Order order;
        private final double[][] counts;
        private int context;
        private int bin;

        Quantiles(String name, int contexts, RandomGenerator random, Order order) {
            this.name = name;
            this.contexts = contexts;
            this.bins = contexts == 1 ? BINS : contexts;
            this.random = random;
            this.order = order;
            this.counts = new double[contexts + 1][bins];
            Arrays.stream(counts).forEach(each -> Arrays.fill(each, .5));
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void begin(int prompt) {
            context = contexts;
        }

        @Override
        public double density(Place place, double[] p) {
            int token = place.token();
            double share = random.nextDouble();
            double key = order.key(place, token, p);
            double before = p[token] > 0 ? share * p[token] : 1;
            for (int other = 0; other < p.length && p[token] > 0; other++) {
                if (p[other] > 0 && other != token) {
                    double its = order.key(place, other, p);
                    before += its < key || its == key && other < token ? p[other] : 0;
                }
            }
            bin = Math.min(bins - 1, (int) (before * bins));
            var row = counts[context];
            return p[token] * row[bin] * bins / Arrays.stream(row).sum();
        }

        @Override
        public void observe(Place place, double[] p) {
            counts[context][bin]++;
            context = contexts == 1 ? 0 : bin * contexts / bins;
        }
    }

    /// Classes of tokens that come more often than expected so far, or less often.
    private static final class Tilt implements Alternative {
        private final String name;
        private final ToIntBiFunction<Place, Integer> classes;
        private final double[] seen;
        private final double[] expected;

        Tilt(String name, int count, ToIntBiFunction<Place, Integer> classes) {
            this.name = name;
            this.classes = classes;
            this.seen = new double[count];
            this.expected = new double[count];
        }

        @Override
        public String name() {
            return name;
        }

        private int of(Place place, int token) {
            return classes.applyAsInt(place, token);
        }

        private double factor(int kind) {
            return (seen[kind] + PRIOR) / (expected[kind] + PRIOR);
        }

        @Override
        public double density(Place place, double[] p) {
            double sum = 0;
            for (int token = 0; token < p.length; token++) {
                sum += p[token] > 0 ? p[token] * factor(of(place, token)) : 0;
            }
            int token = place.token();
            return p[token] * factor(of(place, token)) / sum;
        }

        @Override
        public void observe(Place place, double[] p) {
            for (int token = 0; token < p.length; token++) {
                if (p[token] > 0) {
                    expected[of(place, token)] += p[token];
                }
            }
            seen[of(place, place.token())]++;
        }
    }

    /// Repetition: the same token after the same text as in an earlier answer, a Dirichlet process around p at the place.
    private static final class Repeats implements Alternative {
        private static final int DEPTH = 48;
        private static final double CONCENTRATION = 2;

        private final Map<List<Integer>, Map<Integer, Integer>> after = new HashMap<>();
        private final List<Integer> path = new ArrayList<>();

        @Override
        public String name() {
            return "texts that repeat, or first tokens too often";
        }

        @Override
        public void begin(int prompt) {
            path.clear();
            path.add(prompt);
        }

        @Override
        public double density(Place place, double[] p) {
            var seen =
                    place.index() < DEPTH
                            ? after.getOrDefault(path, Map.of())
                            : Map.<Integer, Integer>of();
            double total = seen.values().stream().mapToInt(each -> each).sum();
            return (CONCENTRATION * p[place.token()] + seen.getOrDefault(place.token(), 0))
                    / (CONCENTRATION + total);
        }

        @Override
        public void observe(Place place, double[] p) {
            if (place.index() < DEPTH) {
                after.computeIfAbsent(List.copyOf(path), _ -> new HashMap<>())
                        .merge(place.token(), 1, Integer::sum);
            }
            path.add(place.token());
        }
    }

    /// Tokens that plain decoding never writes.
    private static final class Impossible implements Alternative {
        private double times;
        private double places;

        @Override
        public String name() {
            return "tokens that are impossible";
        }

        @Override
        public double density(Place place, double[] p) {
            double share = (times + .5) / (places + 1);
            double own = p[place.token()];
            return own > 0 ? own * (1 - share) : share / p.length;
        }

        @Override
        public void observe(Place place, double[] p) {
            times += p[place.token()] > 0 ? 0 : 1;
            places++;
        }
    }
}
