package dev.outrider.experiment.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.random.Forks;
import dev.outrider.experiment.config.ExperimentConfig.Order;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.lab.Pricing.Prices;
import dev.outrider.experiment.lab.Recording.RecordedVariant;
import dev.outrider.experiment.lab.Replay.Replays;
import dev.outrider.experiment.lab.Scenario.Kept;
import dev.outrider.experiment.recording.RecordingFiles;
import dev.outrider.experiment.recording.RunRecorder;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares a recording with the real loop, whose rounds are enumerated: over all texts of a small target, each weighted by its
/// probability, the mean of the rounds that are computed from one recorded drafter is the mean of the rounds that a decoder with
/// that rule, length and tree runs.
class RecordedRoundsTest {
    private static final int[] PROMPT = {0, 1};
    private static final int LENGTH = 4;
    private static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(1);
    private static final TableModel TARGET = TableModel.random(3, DistributionStyle.DENSE, 5);
    private static final TableModel NOISE = TableModel.random(3, DistributionStyle.DENSE, 6);
    private static final TableModel DRAFT = TableModel.of(3, RecordedRoundsTest::guess);
    private static final Prices PRICES = prices();

    @TempDir private Path folder;

    private static double[] guess(List<Integer> prefix) {
        int[] before = array(prefix);
        double[] target = TARGET.distribution(PLAIN, before);
        double[] noise = NOISE.distribution(PLAIN, before);
        return IntStream.range(0, 3).mapToDouble(i -> 0.7 * target[i] + 0.3 * noise[i]).toArray();
    }

    static Stream<Arguments> questions() {
        return Stream.of(
                Arguments.of(Scenario.chain(Kept.TOKEN, 1), new TokenRejectionRule(), chain(1)),
                Arguments.of(Scenario.chain(Kept.TOKEN, 2), new TokenRejectionRule(), chain(2)),
                Arguments.of(Scenario.chain(Kept.TOKEN, 3), new TokenRejectionRule(), chain(3)),
                Arguments.of(Scenario.chain(Kept.BLOCK, 1), new BlockVerificationRule(), chain(1)),
                Arguments.of(Scenario.chain(Kept.BLOCK, 2), new BlockVerificationRule(), chain(2)),
                Arguments.of(Scenario.chain(Kept.BLOCK, 3), new BlockVerificationRule(), chain(3)),
                Arguments.of(Scenario.chain(Kept.MATCH, 2), new SampleAndMatchRule(), chain(2)),
                Arguments.of(
                        Scenario.ranked(List.of(2, 1)),
                        new SampleAndMatchRule(),
                        new TreePlan.LevelWidths(List.of(2, 1))));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void aRecordedChainAnswersForRulesLengthsAndTrees(
            Scenario question, AcceptanceRule rule, TreePlan plan) {
        var recorded = recorded(DRAFT, new TokenRejectionRule(), chain(3), PLAIN);

        assertThat(predicted(recorded, question)).isCloseTo(run(rule, plan, PLAIN), within(1e-9));
    }

    /// The control: the result of one rule is not that of another, and the drafts of one position are not those of the next.
    @Test
    void anotherRuleAndAnotherPositionAnswerDifferently() {
        var recorded = recorded(DRAFT, new TokenRejectionRule(), chain(3), PLAIN);
        double token = run(new TokenRejectionRule(), chain(3), PLAIN);
        var neighbour =
                TableModel.of(
                        3,
                        prefix ->
                                DRAFT.distribution(
                                        PLAIN, array(prefix.subList(0, prefix.size() - 1))));
        var shifted = recorded(neighbour, new TokenRejectionRule(), chain(3), PLAIN);

        assertThat(predicted(recorded, Scenario.chain(Kept.BLOCK, 3))).isLessThan(token - 1e-3);
        assertThat(predicted(recorded, Scenario.chain(Kept.MATCH, 3))).isGreaterThan(token + 1e-3);
        assertThat(Math.abs(predicted(shifted, Scenario.chain(Kept.TOKEN, 3)) - token))
                .isGreaterThan(0.02);
    }

    @Test
    void greedyRecordingsAnswerForEveryLength() {
        var greedy = SamplingPolicy.argmax();
        var recorded = recorded(DRAFT, new TokenRejectionRule(), chain(3), greedy);

        for (int length = 1; length <= 3; length++) {
            assertThat(predicted(recorded, Scenario.recorded(length, true, true)))
                    .isEqualTo(run(new TokenRejectionRule(), chain(length), greedy));
        }
    }

    /// No rule accepts more of the draws. With one draw at each node the bound is block verification, which reaches it.
    @Test
    void boundsAreAboveWhatRulesKeepAndMetByBlockVerification() {
        var variant = recorded(DRAFT, new TokenRejectionRule(), chain(3), PLAIN);
        for (var text : variant.texts()) {
            for (var draft : text.drafts()) {
                int depth = draft.depth();
                double[] one = Scenario.bound(ones(depth)).kept(draft);
                assertThat(one)
                        .usingComparatorWithPrecision(1e-12)
                        .containsExactly(SurvivalAlongText.block(draft, depth));
                double[] two =
                        Scenario.bound(IntStream.range(0, depth).mapToObj(_ -> 2).toList())
                                .kept(draft);
                double[] token = SurvivalAlongText.token(draft, depth);
                for (int level = 0; level <= depth; level++) {
                    assertThat(two[level]).isBetween(one[level] - 1e-12, 1.0);
                    assertThat(token[level]).isBetween(0.0, one[level] + 1e-12);
                }
            }
        }
    }

    @Test
    void timesAreThoseOfRoundsAtTheirRows() {
        var variant = recorded(DRAFT, new TokenRejectionRule(), chain(3), PLAIN);
        var text = variant.texts().getFirst();

        var replay = Replay.of(text, Scenario.chain(Kept.TOKEN, 1));

        // The last round may have no draft: a pass of one row at 10, others two at 15, and a step
        // of 2.
        assertThat(nanos(PRICES, replay)).isBetween(10 * replay.rounds(), 17 * replay.rounds());
        double drafted = replay.byRows().getOrDefault(2, 0.0);
        assertThat(nanos(PRICES, replay))
                .isCloseTo(17 * drafted + 10 * (replay.rounds() - drafted), within(1e-9));
        assertThat(nanos(PRICES.withFreeDrafts(), replay))
                .isCloseTo(nanos(PRICES, replay) - 2 * drafted, within(1e-9));
        assertThat(nanos(PRICES.withFreeRows(), replay))
                .isCloseTo(nanos(PRICES, replay) - 5 * drafted, within(1e-9));
    }

    private static double nanos(Prices prices, Replay replay) {
        return prices.nanos(List.of(replay))[0];
    }

    /// The predicted times of texts, prompts included: their mean over all texts is that of the real loop, whose rounds are
    /// enumerated, with prefill and slow first rounds.
    @Test
    void timesOfWholeGenerationsAreThoseOfTheRealLoop() {
        var variant = recorded(DRAFT, new TokenRejectionRule(), chain(3), PLAIN);
        var prices = priced();
        for (var asked : List.of(Scenario.chain(Kept.TOKEN, 1), Scenario.chain(Kept.TOKEN, 3))) {
            var replays = new Replays(variant).of(asked);
            double[] speedups = prices.speedups(replays);
            var weights = List.copyOf(texts(PLAIN).values());
            double expected = 0;
            for (int text = 0; text < weights.size(); text++) {
                double plain = LENGTH * 11 + 4 * 11 + 3;
                expected += weights.get(text) * plain / speedups[text];
            }

            assertThat(expected)
                    .isCloseTo(
                            6 * 11 + asked.length() + nanos(chain(asked.length())), within(1e-9));
        }
    }

    /// A pass of n rows takes 10, and 5 for each row beside the first; the engine 1 per round and 1 per level; a draft 2 per level.
    /// Before them come 4 plain rounds for plain decoding and 6 for the variant, and slow first rounds take 3 plus the draft's
    /// length.
    private static Prices priced() {
        var curve = new CostCurve(new TreeMap<>(Map.of(1, 10.0, 2, 15.0, 3, 20.0, 4, 25.0)));
        var engine = new LinearCost(1, 1, "");
        var costs =
                new Costs(
                        "typed",
                        "typed in",
                        curve,
                        Map.of("drawn", new LinearCost(0, 2, "typed in")),
                        Map.of("drawn", engine, "plain", engine),
                        Map.of(
                                "plain",
                                new TreeMap<>(Map.of(1, 3.0)),
                                "drawn",
                                new TreeMap<>(Map.of(2, 1.0, 4, 3.0))),
                        List.of());
        var starts =
                new Starts(
                        Map.of(
                                new Starts.Of("plain", "p"), 4.0,
                                new Starts.Of("drawn", "p"), 6.0));
        return Prices.of(costs, costs, Optional.of(starts), "drawn", "plain");
    }

    /// Returns the mean, over all outcomes, of the time of a real loop's rounds at these prices.
    private static double nanos(TreePlan plan) {
        var decoder = decoder(DRAFT, new TokenRejectionRule(), plan, PLAIN);
        var forks = new Forks();
        var every = new EveryOutcome(forks);
        var request = new DecodeRequest(PROMPT, LENGTH, PLAIN, List.of(), true);
        double[] nanos = new double[1];
        do {
            double once = 0;
            var rounds = new ArrayList<Integer>();
            decoder.decode(
                    request,
                    _ -> every,
                    event -> {
                        if (event instanceof DecodeEvent.RoundCompleted round) {
                            rounds.add(round.draft().tree().draftedNodes());
                        }
                    },
                    () -> false);
            for (int nodes : rounds) {
                once += 10 + 5 * nodes + 1 + nodes + 2 * nodes;
            }
            nanos[0] += once * forks.weight();
        } while (forks.next());
        return nanos[0];
    }

    /// The result is computed over texts with multiplicities, in order, as if each text occurred so often.
    @Test
    void mediansOfResampledTextsAreThoseOfTheirCopies() {
        var random = new java.util.SplittableRandom(3);
        for (int trial = 0; trial < 200; trial++) {
            double[] values = random.doubles(1 + random.nextInt(6)).toArray();
            int[] times = random.ints(values.length, 0, 4).toArray();
            times[random.nextInt(values.length)]++;
            int[] rising =
                    IntStream.range(0, values.length)
                            .boxed()
                            .sorted(java.util.Comparator.comparingDouble(i -> values[i]))
                            .mapToInt(i -> i)
                            .toArray();
            double[] copies =
                    IntStream.range(0, values.length)
                            .flatMap(i -> IntStream.generate(() -> i).limit(times[i]))
                            .mapToDouble(i -> values[i])
                            .sorted()
                            .toArray();

            assertThat(Pricing.median(values, rising, times))
                    .isEqualTo((copies[(copies.length - 1) / 2] + copies[copies.length / 2]) / 2);
        }
    }

    @Test
    void aBrokenRecordingIsRefused() throws IOException {
        recorded(DRAFT, new TokenRejectionRule(), chain(2), PLAIN);
        Path place = folder.resolve(RecordingFiles.FOLDER);
        Files.copy(
                place.resolve(RecordingFiles.TEXTS),
                place.resolve(RecordingFiles.DRAFTS),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> Recording.read(folder))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "DATA_INVALID: '%s' cannot be read as a part of a recording: it has no column"
                                .formatted(place.resolve(RecordingFiles.DRAFTS)));
        Files.delete(place.resolve(RecordingFiles.MANIFEST));
        assertThatThrownBy(() -> Recording.read(folder))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith("DATA_INVALID: '%s' holds no recording".formatted(folder));
    }

    private static List<Integer> ones(int depth) {
        return IntStream.range(0, depth).mapToObj(_ -> 1).toList();
    }

    private static TreePlan chain(int length) {
        return new TreePlan.Chain(length);
    }

    /// Records every text of the target as a repetition of one prompt, writes it and reads it.
    private RecordedVariant recorded(
            TableModel draft, AcceptanceRule rule, TreePlan tree, SamplingPolicy policy) {
        var target = TableTarget.of(TARGET);
        var plain =
                new Variant(
                        "plain",
                        "plain",
                        "none",
                        "token",
                        policy,
                        Losslessness.LOSSLESS_IN_DISTRIBUTION,
                        Decoder.plain(target, new TokenRejectionRule(), () -> 0),
                        Optional.empty());
        var variant =
                new Variant(
                        "drawn",
                        "plain",
                        "table",
                        "token",
                        policy,
                        Losslessness.LOSSLESS_IN_DISTRIBUTION,
                        decoder(draft, rule, tree, policy),
                        Optional.empty());
        var texts = texts(policy);
        var plan =
                new ComparisonPlan(
                        List.of(plain, variant),
                        List.of(
                                new Prompt(
                                        "p",
                                        "",
                                        Arrays.stream(PROMPT).boxed().toList(),
                                        List.of())),
                        LENGTH,
                        List.of(),
                        true,
                        1,
                        0,
                        texts.size(),
                        1,
                        Order.values()[0],
                        false);
        var generations = new ArrayList<GenerationRecord>();
        for (var text : texts.keySet()) {
            generations.add(
                    new GenerationRecord(
                            "plain",
                            0,
                            generations.size(),
                            text,
                            1,
                            new MetricsCollector().metrics(),
                            List.of(),
                            List.of(),
                            0,
                            List.of()));
        }
        new RunRecorder(
                        new ComparisonResult(plan, generations, List.of(), List.of(), false),
                        (_, _, _) -> {},
                        () -> false)
                .write(folder);
        return Recording.read(folder).variants().getFirst();
    }

    private static Map<List<Integer>, Double> texts(SamplingPolicy policy) {
        var texts = new java.util.LinkedHashMap<List<Integer>, Double>();
        ExactDistribution.ofTarget(TARGET, policy, PROMPT, LENGTH)
                .forEach((text, weight) -> {
                    if (weight > 0) {
                        texts.put(text, weight);
                    }
                });
        return texts;
    }

    private static double predicted(RecordedVariant variant, Scenario question) {
        var weights =
                List.copyOf(
                        texts(
                                        variant.variant().temperature() == 0
                                                ? SamplingPolicy.argmax()
                                                : PLAIN)
                                .values());
        double rounds = 0;
        for (int text = 0; text < weights.size(); text++) {
            rounds += weights.get(text) * Replay.of(variant.texts().get(text), question).rounds();
        }
        return rounds;
    }

    private static double run(AcceptanceRule rule, TreePlan plan, SamplingPolicy policy) {
        var decoder = decoder(DRAFT, rule, plan, policy);
        var forks = new Forks();
        var every = new EveryOutcome(forks);
        var request = new DecodeRequest(PROMPT, LENGTH, policy, List.of(), true);
        double rounds = 0;
        do {
            rounds += decoder.decode(request, _ -> every).rounds() * forks.weight();
        } while (forks.next());
        return rounds;
    }

    /// Enumerates all outcomes of every draw.
    private record EveryOutcome(Forks forks) implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            double chance = Math.min(1, numerator / denominator);
            return chance >= 1
                    || chance > 0
                            && forks.choose(new int[] {1, 0}, new double[] {chance, 1 - chance})
                                    == 1;
        }

        @Override
        public int draw(Role role, int node, double[] distribution) {
            int[] tokens =
                    IntStream.range(0, distribution.length)
                            .filter(token -> distribution[token] > 0)
                            .toArray();
            double sum = Arrays.stream(distribution).sum();
            return forks.choose(
                    tokens,
                    Arrays.stream(tokens)
                            .mapToDouble(token -> distribution[token] / sum)
                            .toArray());
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public double uniform(Role role, int node) {
            throw new UnsupportedOperationException();
        }
    }

    private static Decoder decoder(
            TableModel draft, AcceptanceRule rule, TreePlan plan, SamplingPolicy policy) {
        return new Decoder(
                TableTarget.of(TARGET),
                Optional.of(new TableDrafter(draft, plan, policy)),
                rule,
                FixedLength.drafterLimit(),
                false,
                () -> 0);
    }

    private static Prices prices() {
        var curve = new CostCurve(new TreeMap<>(Map.of(1, 10.0, 2, 15.0)));
        var costs =
                new Costs(
                        "typed",
                        "typed in",
                        curve,
                        Map.of("drawn", new LinearCost(0, 2, "typed in")),
                        Map.of());
        return Prices.of(costs, costs, Optional.empty(), "drawn", "plain");
    }

    private static int[] array(List<Integer> tokens) {
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }
}
