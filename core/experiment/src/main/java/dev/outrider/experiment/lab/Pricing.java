package dev.outrider.experiment.lab;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.lab.Recording.RecordedText;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The speedup over plain decoding, computed as a comparison computes it: the median over texts of the quotients of time per token,
/// with a 95 % interval. The interval includes the uncertainty of prompts, of texts and of times: each resample draws all three.
record Pricing(Prices prices, List<Prices> again, int[][] resamples) {
    /// @param prices of the machine
    /// @param again  resamples of the prices, at least one
    /// @param texts  whose replays are priced, in their order
    /// @param seed   of the resampling
    static Pricing of(Prices prices, List<Prices> again, List<RecordedText> texts, long seed) {
        return new Pricing(prices, List.copyOf(again), resamples(texts, seed));
    }

    /// @param replays one for each text
    Interval speedup(List<Replay> replays) {
        double value = speedup(prices, replays);
        if (replays.size() == 1 && again.size() == 1) {
            return Interval.unknown(value);
        }
        double[][] ratios =
                again.stream().map(each -> each.speedups(replays)).toArray(double[][]::new);
        int[][] rising = Arrays.stream(ratios).map(Pricing::rising).toArray(int[][]::new);
        var sample = IntStream.range(0, resamples.length).iterator();
        return Bootstrap.between(
                value,
                () -> {
                    int number = sample.nextInt();
                    int draw = number % ratios.length;
                    return median(ratios[draw], rising[draw], resamples[number]);
                });
    }

    private static int[] rising(double... values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted((one, other) -> Double.compare(values[one], values[other]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /// Returns the median of values with multiplicities, which may be 0.
    ///
    /// @param rising indices of the values, the least value first
    /// @param times  how often each value counts
    static double median(double[] values, int[] rising, int... times) {
        int size = 0;
        for (int count : times) {
            size += count;
        }
        int seen = 0;
        int at = -1;
        while (seen <= (size - 1) / 2) {
            seen += times[rising[++at]];
        }
        double low = values[rising[at]];
        while (seen <= size / 2) {
            seen += times[rising[++at]];
        }
        return (low + values[rising[at]]) / 2;
    }

    /// The median over texts.
    static double speedup(Prices prices, List<Replay> replays) {
        return Bootstrap.median(prices.speedups(replays));
    }

    /// Draws prompts with replacement, and for each drawn prompt its texts with replacement. Returns how often each text is drawn.
    private static int[][] resamples(List<RecordedText> texts, long seed) {
        var byPrompt = new LinkedHashMap<String, List<Integer>>();
        IntStream.range(0, texts.size())
                .forEach(text ->
                        byPrompt.computeIfAbsent(texts.get(text).prompt(), _ -> new ArrayList<>())
                                .add(text));
        int[][] prompts =
                byPrompt.values().stream()
                        .map(own -> own.stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new);
        var random = new SplittableRandom(seed);
        var resamples = new int[Bootstrap.RESAMPLES][texts.size()];
        for (int[] times : resamples) {
            for (int draw = 0; draw < prompts.length; draw++) {
                int[] prompt = prompts[random.nextInt(prompts.length)];
                for (int i = 0; i < prompt.length; i++) {
                    times[prompt[random.nextInt(prompt.length)]]++;
                }
            }
        }
        return resamples;
    }

    /// The costs of one variant and of plain decoding, in nanoseconds.
    ///
    /// @param target      t(n)
    /// @param draft       of the variant
    /// @param engine      the rest of a round of the variant
    /// @param plainEngine the rest of a round of plain decoding
    /// @param beginning   time of a generation outside such rounds
    record Prices(
            CostCurve target,
            LinearCost draft,
            LinearCost engine,
            LinearCost plainEngine,
            Beginning beginning) {
        /// The times of generations outside their rounds, and the extra time of their first rounds.
        ///
        /// @param starts   times before the rounds; if empty, only rounds count, and first rounds cost the same as later ones
        /// @param costs    with the extra time of first rounds
        /// @param variant  its name
        /// @param baseline of its plain decoding
        record Beginning(Optional<Starts> starts, Costs costs, String variant, String baseline) {
            /// Returns the start of plain decoding, in rounds of plain decoding.
            double plain(String prompt) {
                return starts.map(each -> each.of(baseline, prompt)).orElse(0.0);
            }

            /// Returns the start of the variant, in rounds of plain decoding.
            double drafting(String prompt) {
                return starts.map(each -> each.of(variant, prompt)).orElse(0.0);
            }

            /// Returns the extra time of plain decoding's first rounds, in nanoseconds.
            double plainFirst() {
                return starts.isEmpty() ? 0 : costs.firstRounds(baseline, 1);
            }

            /// Returns the extra time of the variant's first rounds, in nanoseconds.
            ///
            /// @param rows rows of the longest pass
            double firstRounds(int rows) {
                return starts.isEmpty() ? 0 : costs.firstRounds(variant, rows);
            }
        }

        /// @param costs    of the machine
        /// @param own      of the run, for parts that `costs` does not have
        /// @param starts   of the machine, as of [Beginning]
        /// @param variant  its name
        /// @param baseline of its plain decoding
        static Prices of(
                Costs costs, Costs own, Optional<Starts> starts, String variant, String baseline) {
            return new Prices(
                    costs.target(),
                    Optional.ofNullable(costs.drafters().get(variant))
                            .or(() -> Optional.ofNullable(own.drafters().get(variant)))
                            .orElse(LinearCost.FREE),
                    engine(costs, own, variant),
                    engine(costs, own, baseline),
                    new Beginning(starts, costs, variant, baseline));
        }

        /// Returns resamples of the prices; these prices alone if nothing is known of the timing's errors.
        ///
        /// @param costs the costs that these prices are from
        /// @param own   as of [#of]
        List<Prices> again(Costs costs, Costs own) {
            return costs.again().isEmpty()
                    ? List.of(this)
                    : costs.again().stream()
                            .map(each ->
                                    of(
                                            each,
                                            own,
                                            beginning.starts(),
                                            beginning.variant(),
                                            beginning.baseline()))
                            .toList();
        }

        private static LinearCost engine(Costs costs, Costs own, String variant) {
            return costs.engine()
                    .getOrDefault(variant, own.engine().getOrDefault(variant, LinearCost.FREE));
        }

        /// Returns the time of a round without the levels of its draft.
        ///
        /// @param rows rows of its pass
        double round(int rows) {
            return target.at(rows) + engine.round();
        }

        /// Returns the time of a level of a draft. A step from several nodes takes longer than a step from one node by the same
        /// factor as a pass of the target.
        ///
        /// @param nodes number of nodes that the step starts from
        double step(int nodes) {
            double more = nodes == 1 ? 1 : target.at(nodes) / target.at(1);
            return draft.level() * more + engine.level();
        }

        /// Returns the time of a token of plain decoding.
        double plain() {
            return target.at(1) + plainEngine.round();
        }

        /// Returns the nanoseconds of the rounds, one number for each replay. Costs are looked up once for all of them.
        double[] nanos(List<Replay> replays) {
            var passes = new HashMap<Integer, Double>();
            var steps = new HashMap<Integer, Double>();
            return replays.stream()
                    .mapToDouble(replay ->
                            draft.round() * replay.drafts()
                                    + sum(replay.byRows(), passes, this::round)
                                    + sum(replay.steps(), steps, this::step))
                    .toArray();
        }

        private static double sum(
                Map<Integer, Double> counts,
                Map<Integer, Double> known,
                Function<Integer, Double> cost) {
            double sum = 0;
            for (var each : counts.entrySet()) {
                sum += each.getValue() * known.computeIfAbsent(each.getKey(), cost);
            }
            return sum;
        }

        /// Returns the speedups over plain decoding with their starts, one for each replay.
        double[] speedups(List<Replay> replays) {
            double unit = plain();
            double plainFirst = beginning.plainFirst();
            var firstRounds = new HashMap<Integer, Double>();
            double[] speedups = nanos(replays);
            for (int text = 0; text < speedups.length; text++) {
                var replay = replays.get(text);
                double tokens = replay.tokens() + beginning.plain(replay.prompt());
                speedups[text] =
                        (unit * tokens + plainFirst)
                                / (speedups[text]
                                        + unit * beginning.drafting(replay.prompt())
                                        + firstRounds.computeIfAbsent(
                                                replay.mostRows(), beginning::firstRounds));
            }
            return speedups;
        }

        Prices withFreeDrafts() {
            return new Prices(target, LinearCost.FREE, engine, plainEngine, beginning);
        }

        /// Returns prices at which a pass of many rows costs as much as a pass of one row.
        Prices withFreeRows() {
            var level = new TreeMap<Integer, Double>();
            level.put(1, target.at(1));
            return new Prices(new CostCurve(level), draft, engine, plainEngine, beginning);
        }

        /// Returns prices without engine time in the variant; plain decoding keeps its engine time.
        Prices withFreeEngine() {
            return new Prices(target, draft, LinearCost.FREE, plainEngine, beginning);
        }
    }
}
