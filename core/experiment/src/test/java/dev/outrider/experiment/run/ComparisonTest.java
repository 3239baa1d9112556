package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.ComparisonResult.FailedPrompt;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableTarget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ComparisonTest {
    private static final String FILE =
            """
            name: fake
            target: table
            prompts: {texts: [ab, ba, abc, bbb]}
            maxTokens: 21
            variants:
              - name: chain
                drafter: {use: table, agreement: 0.8, tree: 4}
              - name: tree
                drafter: {use: table, agreement: 0.5, tree: {widths: [2, 1, 1]}}
            """;

    private final FakeClock clock = new FakeClock();
    private final List<String> order = new ArrayList<>();
    private final List<String> measured = new ArrayList<>();
    private final List<FailedPrompt> failed = new ArrayList<>();

    @Test
    void measuresEverySideOnEveryPromptAndRepetition() {
        ComparisonResult result = run(() -> false);
        assertThat(result.generations()).hasSize(3 * 4 * 3).hasSize(result.plan().generations());
        assertThat(result.failures()).isEmpty();
        assertThat(result.interrupted()).isFalse();
        assertThat(result.generations())
                .allSatisfy(record -> {
                    assertThat(record.tokens()).hasSize(21);
                    assertThat(record.rounds().stream().mapToInt(RoundRecord::emitted).sum())
                            .isEqualTo(21);
                    assertThat(record.wallNanos())
                            .isEqualTo(
                                    record.rounds().stream()
                                            .mapToLong(round -> round.times().total())
                                            .sum());
                });
    }

    @Test
    void rotatesWhoGoesFirstAfterWarmingEverySideUp() {
        run(() -> false, "repetitions=1");
        assertThat(order)
                .startsWith("warm plain ab", "warm chain ab", "warm tree ab")
                .containsSubsequence(
                        "plain ab",
                        "chain ab",
                        "tree ab",
                        "chain ba",
                        "tree ba",
                        "plain ba",
                        "tree abc",
                        "plain abc",
                        "chain abc",
                        "plain bbb")
                .hasSize(3 + 12);
    }

    /// With passes of 0.3 seconds, the warm-up second is over four passes after the first, for every prompt time.
    @ParameterizedTest
    @CsvSource({"1, 21", "300_000, 5", "1_000_000_000, 2"})
    void aGenerationOfTheWarmUpEndsASecondAfterItsFirstRoundAndNotBeforeItsSecond(
            String slower, int rounds) {
        long factor = Long.parseLong(slower.replace("_", ""));
        var plan = plan("target={use: table, reading: 5000000}");
        var begins = new ArrayList<Long>();
        var listener =
                new Listener() {
                    @Override
                    public void starting(Variant variant, Prompt prompt, boolean warmup) {
                        begins.add(clock.nanos());
                    }
                };
        new Comparison(plan, () -> factor * clock.nanos(), listener, () -> false).run();

        assertThat(begins.get(1) - begins.get(0))
                .isEqualTo(5_000_000 + rounds * ClockedTarget.PASS);
    }

    @Test
    void aRandomOrderComesFromTheSeed() {
        List<String> first = orderOf("order=random", "seed=1");
        assertThat(orderOf("order=random", "seed=1")).isEqualTo(first);
        assertThat(orderOf("order=random", "seed=2")).isNotEqualTo(first).hasSameElementsAs(first);
    }

    @Test
    void greedyVariantsEmitWhatPlainDecodingEmits() {
        ComparisonResult result = run(() -> false);
        assertThat(result.mismatches()).isEmpty();
        assertThat(
                        result.generations().stream()
                                .filter(record -> record.prompt() == 1)
                                .map(GenerationRecord::tokens)
                                .distinct())
                .hasSize(1);
    }

    @Test
    void theMeasuredSpeedupIsWhatTheTimesPredict() {
        List<VariantResult> variants =
                VariantResult.of(run(() -> false, "maxTokens=50"), Map.of(), Map.of());
        VariantResult plain = variants.getFirst();
        assertThat(plain.tokensPerRound()).isEqualTo(1);
        assertThat(plain.speed().tokensPerSecond())
                .isCloseTo(1e9 / ClockedTarget.PASS, within(1e-6));
        assertThat(plain.speedup().value()).isEqualTo(1);
        VariantResult chain = variants.get(1);
        assertThat(chain.speed().draftCost())
                .isCloseTo((double) ClockedDrafter.STEP / ClockedTarget.PASS, within(1e-12));
        assertThat(chain.speedup().value()).isGreaterThan(1.5);
        double whole = chain.speed().tokensPerSecond() / plain.speed().tokensPerSecond();
        assertThat(chain.speed().expected()).isCloseTo(whole, within(0.05 * whole));
        assertThat(chain.speedup().least()).isLessThanOrEqualTo(chain.speedup().value());
        assertThat(chain.speedup().most()).isGreaterThanOrEqualTo(chain.speedup().value());
        assertThat(chain.meanNanos().passByRows().get(5))
                .isEqualTo(ClockedTarget.PASS + 4.0 * ClockedTarget.ROW);
    }

    @Test
    void aPromptThatFailsIsLeftOutOfEverySide() {
        ComparisonResult result = run(() -> false, "prompts={texts: [ab, fb, ba]}");
        assertThat(result.failures())
                .containsExactly(
                        new FailedPrompt(
                                "text-2",
                                "chain",
                                "DATA_INVALID: the prompt is poisoned\n  Take another."))
                .isEqualTo(failed);
        assertThat(result.generations())
                .hasSize(3 * 2 * 3)
                .noneMatch(record -> record.prompt() == 1);
    }

    @Test
    void aPromptThatFailsLateTakesItsEarlierMeasurementsWithIt() {
        ComparisonResult result = run(() -> false, "prompts={texts: [ab, eb, ba]}");
        assertThat(measured).contains("eb");
        assertThat(result.failures()).extracting(FailedPrompt::prompt).containsExactly("text-2");
        assertThat(result.generations())
                .hasSize(3 * 2 * 3)
                .noneMatch(record -> record.prompt() == 1);
    }

    @Test
    void failsWithTheFirstErrorWhereEveryPromptFails() {
        assertThatThrownBy(() -> run(() -> false, "prompts={texts: [fa, fb]}"))
                .isInstanceOf(OutriderException.class)
                .hasMessage("DATA_INVALID: the prompt is poisoned\n  Take another.");
    }

    @Test
    void keepsWholeTurnsWhenItIsCancelled() {
        var rounds = new AtomicInteger();
        ComparisonResult result = run(() -> rounds.incrementAndGet() > 150);
        assertThat(result.interrupted()).isTrue();
        assertThat(result.generations()).isNotEmpty().hasSizeLessThan(36);
        assertThat(result.generations().size() % 3).isZero();
        assertThat(VariantResult.of(result, Map.of(), Map.of())).hasSize(3);
    }

    @Test
    void hasNothingToSayWhenCancelledAtOnce() {
        ComparisonResult result = run(() -> true);
        assertThat(result.generations()).isEmpty();
        assertThat(VariantResult.of(result, Map.of(), Map.of())).isEmpty();
    }

    @Test
    void aLossyOutputIsShownWithTheGapWhereItDiffers() {
        var prompt = new Prompt("p", "text", List.of(0, 1), List.of());
        var plain = generation("plain", 3, 1, 2);
        var table = new ClockedTarget(TableTarget.of(TablePlugin.distribution(0.9)), clock);
        var target = Decoder.plain(table, new GreedyRule(), clock);
        var argmax = SamplingPolicy.argmax();
        assertThat(
                        GreedyCheck.compare(
                                prompt, plain.tokens(), "v", List.of(3, 1, 2), target, argmax))
                .isEmpty();
        assertThat(
                        GreedyCheck.compare(
                                prompt, plain.tokens(), "v", List.of(3, 4, 2), target, argmax))
                .hasValueSatisfying(found -> {
                    assertThat(found.position()).isEqualTo(1);
                    assertThat(found.expected()).isEqualTo(1);
                    assertThat(found.actual()).isEqualTo(4);
                    assertThat(found.gap()).isCloseTo(Math.log(0.9 / 0.02), within(1e-5));
                });
        assertThat(GreedyCheck.compare(prompt, plain.tokens(), "v", List.of(3), target, argmax))
                .hasValueSatisfying(found -> assertThat(found.actual()).isEqualTo(-1));
        var penalty = new SamplingPolicy(0, 0, 1, 0, 2);
        var written = new Prompt("p", "text", List.of(2, 0, 1), List.of());
        assertThat(GreedyCheck.compare(written, plain.tokens(), "v", List.of(4), target, penalty))
                .hasValueSatisfying(found ->
                        assertThat(found.gap())
                                .describedAs("the best token is in the prompt")
                                .isCloseTo(2 * Math.log(.9) - Math.log(.02), within(1e-5)));
    }

    @Test
    void choosesLosslessRulesAndOneBaselineForEachSampling() {
        ExperimentConfig config =
                config(
                        "variants[0].sampling={temperature: 1}",
                        "variants[0].drafter.sampling={temperature: 1}",
                        "variants[1].sampling={temperature: 1}",
                        "variants[+]={name: cold, drafter: table, rule: sample-and-match}");
        try (LoadedExperiment loadedExperiment = LoadedExperiment.load(config, clock, true)) {
            assertThat(loadedExperiment.variants())
                    .extracting(variant ->
                            variant.name()
                                    + " "
                                    + variant.baseline()
                                    + " "
                                    + variant.rule()
                                    + " "
                                    + variant.losslessness())
                    .containsExactly(
                            "plain plain greedy " + Losslessness.GREEDY_EQUAL,
                            "plain, T = 1 plain, T = 1 token "
                                    + Losslessness.LOSSLESS_IN_DISTRIBUTION,
                            "chain plain, T = 1 token " + Losslessness.LOSSLESS_IN_DISTRIBUTION,
                            "tree plain, T = 1 sample-and-match "
                                    + Losslessness.LOSSLESS_IN_DISTRIBUTION,
                            "cold plain greedy " + Losslessness.GREEDY_EQUAL);
        }
    }

    @Test
    void plainDecodingIsNamedByWhatDiffersInItsSampling() {
        ExperimentConfig config =
                config(
                        "sampling={temperature: 1}",
                        "variants[0].sampling={temperature: 1}",
                        "variants[0].drafter.sampling={temperature: 1}",
                        "variants[1].sampling={temperature: 1, topP: 0.9}",
                        "variants[+]={name: cold, drafter: table, rule: sample-and-match, sampling: {temperature: 0.5, topK: 4}}");
        try (LoadedExperiment loadedExperiment = LoadedExperiment.load(config, clock, true)) {
            assertThat(loadedExperiment.variants())
                    .extracting(variant -> variant.name() + " / " + variant.baseline())
                    .contains(
                            "chain / plain",
                            "tree / plain, T = 1, top-p 0.9",
                            "cold / plain, T = 0.5, top-k 4");
            assertThat(loadedExperiment.variants())
                    .extracting(Variant::sampling)
                    .contains("T = 1", "T = 1, top-p 0.9", "T = 0.5, top-k 4");
        }
    }

    @Test
    void namesTheWeightsOfEveryModel() {
        try (LoadedExperiment loadedExperiment = LoadedExperiment.load(config(), clock, false)) {
            assertThat(loadedExperiment.modelDigests())
                    .isEqualTo(
                            Map.of(
                                    "target table",
                                    "00",
                                    "drafter chain",
                                    "feed",
                                    "drafter tree",
                                    "feed"));
        }
    }

    @Test
    void refusesAnInexactCombinationBeforeLoadingAnything() {
        assertThatThrownBy(() ->
                        load("variants[1].sampling={temperature: 1}", "variants[1].rule=token"))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "CAPABILITY_MISSING: variants[1] 'tree': acceptance rule 'token' judges chains");
        assertThatThrownBy(() ->
                        load("variants[0].sampling={temperature: 1}", "variants[0].rule=greedy"))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "LOSSY_NOT_ALLOWED: variants[0] 'chain': acceptance rule 'greedy' is exact at temperature 0 only");
    }

    private List<String> orderOf(String... overrides) {
        order.clear();
        run(() -> false, overrides);
        return List.copyOf(order);
    }

    private static GenerationRecord generation(String variant, Integer... tokens) {
        return new GenerationRecord(
                variant,
                0,
                0,
                List.of(tokens),
                1,
                DecodeMetrics.none(),
                List.of(),
                List.of(),
                0,
                List.of());
    }

    private void load(String... overrides) {
        LoadedExperiment.load(config(overrides), clock, false).close();
    }

    private ComparisonResult run(BooleanSupplier cancelled, String... overrides) {
        var listener =
                new Listener() {
                    @Override
                    public void starting(Variant variant, Prompt prompt, boolean warmup) {
                        order.add((warmup ? "warm " : "") + variant.name() + " " + text(prompt));
                    }

                    @Override
                    public void measured(Variant variant, Prompt prompt, GenerationRecord record) {
                        measured.add(text(prompt));
                    }

                    @Override
                    public void failed(FailedPrompt failure) {
                        failed.add(failure);
                    }
                };
        return new Comparison(plan(overrides), clock, listener, cancelled).run();
    }

    /// Measures both groups that it is given; the second look never comes.
    @Test
    void mayEndBeforeTheLastPromptWithEveryRepetitionOfThoseItMeasured() {
        var interimAnalysis = new ArrayList<Integer>();
        var looking =
                new StoppingRule() {
                    @Override
                    public List<Integer> sizes(int groups) {
                        return List.of(2, 3, groups);
                    }

                    @Override
                    public boolean enough(ComparisonResult soFar, int look) {
                        interimAnalysis.add(soFar.promptsMeasured());
                        return look == 2;
                    }

                    @Override
                    public boolean spent() {
                        return false;
                    }
                };
        var result =
                new Comparison(plan(), clock, List.of(), RunListeners.none(), looking, () -> false)
                        .run();
        assertThat(interimAnalysis).containsExactly(2, 3);
        assertThat(result.promptsMeasured()).isEqualTo(3);
        assertThat(result.generations()).hasSize(3 * 3 * 3);
        assertThat(result.interrupted()).isFalse();
    }

    private static String text(Prompt prompt) {
        return new LetterTokenizer(6).decode(prompt.array());
    }

    private ComparisonPlan plan(String... overrides) {
        ExperimentConfig config = config(overrides);
        LoadedExperiment loadedExperiment = LoadedExperiment.load(config, clock, false);
        return loadedExperiment.plan(config);
    }

    private ExperimentConfig config(String... overrides) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("/here"))
                .parse(FILE, "fake.yaml", Path.of("/"), ExperimentConfig.class, List.of(overrides))
                .config();
    }
}
