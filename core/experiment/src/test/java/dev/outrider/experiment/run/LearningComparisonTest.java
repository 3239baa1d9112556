package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.LoadedExperiment.Learners;
import dev.outrider.experiment.stats.LearningCurve;
import dev.outrider.experiment.stats.VariantResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Comparisons in which a drafter is not the same at every call.
final class LearningComparisonTest {
    private static final String FILE =
            """
            name: fake
            target: table
            prompts: {texts: [ab, ba, abc, bbb, aab, cab]}
            maxTokens: 21
            warmup: 1
            repetitions: 2
            variants:
              - name: fixed
                drafter: {use: table, agreement: 0.8, tree: 4}
              - name: learns
                drafter: {use: learning, agreement: 0.2, tree: 4}
              - name: learns too
                drafter: {use: learning, agreement: 0.2, tree: 4}
            """;

    private final FakeClock clock = new FakeClock();

    @Test
    void everyRepetitionBeginsAnewAndEveryVariantLearnsForItself() {
        var result = compare();
        var tokensPerRound =
                result.of(variant(result, "learns")).stream()
                        .map(record -> record.metrics().tokensPerRound())
                        .toList();
        assertThat(tokensPerRound).hasSize(12);
        assertThat(tokensPerRound.subList(6, 12)).isEqualTo(tokensPerRound.subList(0, 6));
        assertThat(tokensPerRound.subList(0, 2)).allMatch(each -> each < 2.5);
        assertThat(tokensPerRound.subList(2, 6)).allMatch(each -> each > 3);
        assertThat(
                        result.of(variant(result, "learns too")).stream()
                                .map(record -> record.metrics().tokensPerRound()))
                .isEqualTo(tokensPerRound);
        assertThat(result.mismatches()).isEmpty();
    }

    @Test
    void whatLearningCostsIsTimeOfTheVariant() {
        var result = compare();
        assertThat(result.of(variant(result, "learns")))
                .allSatisfy(record -> {
                    assertThat(record.learnNanos()).isEqualTo(LearningDrafter.STEP);
                    assertThat(record.wallNanos())
                            .isEqualTo(
                                    LearningDrafter.STEP
                                            + record.rounds().stream()
                                                    .mapToLong(round -> round.times().total())
                                                    .sum());
                });
        assertThat(result.of(variant(result, "fixed")))
                .allMatch(record -> record.learnNanos() == 0);
    }

    @Test
    void ofABatchTheTimeIsSharedByTokens() {
        var result = compare("batch=2");
        assertThat(
                        result.of(variant(result, "learns")).stream()
                                .mapToLong(GenerationRecord::learnNanos)
                                .sum())
                .isEqualTo(6 * LearningDrafter.STEP);
    }

    @Test
    void theCourseOfEveryVariantIsShownWhereOneLearns() {
        var variants = VariantResult.of(compare(), Map.of(), Map.of());
        assertThat(course(variants, "fixed").learns()).isFalse();
        assertThat(course(variants, "fixed").learnShare()).isZero();
        var course = course(variants, "learns");
        assertThat(course.learns()).isTrue();
        assertThat(course.learnShare()).isBetween(0.01, 0.99);
        assertThat(course.tokensPerRound()).hasSize(3);
        assertThat(course.tokensPerRound().getFirst()).isLessThan(2.5);
        assertThat(course.tokensPerRound().getLast()).isGreaterThan(3);
        assertThat(course.alpha().getLast()).isGreaterThan(course.alpha().getFirst() + 0.2);
        assertThat(TextTable.learningCurves(variants)).hasSize(4).allMatch(row -> row.size() == 8);

        var plain = VariantResult.of(compare("variants=[" + FIXED + "]"), Map.of(), Map.of());
        assertThat(plain).allMatch(variant -> variant.learningCurve().isEmpty());
        assertThat(TextTable.learningCurves(plain)).isEmpty();
    }

    private static final String FIXED = "{name: fixed, drafter: {use: table, tree: 4}}";

    @Test
    void thirdsAreOfThePromptsInTheOrderTheyCame() {
        var result = compare();
        var course = course(VariantResult.of(result, Map.of(), Map.of()), "fixed");
        var own = result.of(variant(result, "fixed"));
        var first = own.get(0).metrics().plus(own.get(1).metrics());
        var second = first.plus(own.get(6).metrics()).plus(own.get(7).metrics());
        assertThat(course.tokensPerRound().getFirst())
                .isCloseTo(second.tokensPerRound(), within(1e-12));
    }

    @Test
    void resultsNameTheWeightsItBeganWith() {
        try (var loaded = LoadedExperiment.load(config(), clock, false, Learners.LEARNING)) {
            assertThat(loaded.modelDigests())
                    .containsEntry("drafter learns, before it learned", "beef")
                    .containsEntry("drafter fixed", "feed")
                    .doesNotContainKey("drafter learns");
        }
    }

    @Test
    void whoeverTakesADrafterForTheSameAtEveryCallRefusesIt() {
        assertThatThrownBy(() -> LoadedExperiment.load(config(), clock, false))
                .hasMessage(
                        """
                        CAPABILITY_MISSING: variant 'learns' has a drafter that learns while it drafts, but only 'bench', 'sweep' and 'verify-exactness' let it
                          Leave 'learn' out of the drafter.\
                        """);
        assertThatThrownBy(() -> Learners.refuse(config(), "prompts may come in any order"))
                .hasMessageStartingWith(
                        "CAPABILITY_MISSING: variant 'learns' has a drafter that learns while it drafts, but prompts may come in any order");
        LoadedExperiment.load(config("variants=[" + FIXED + "]"), clock, false).close();
    }

    @Test
    void aBeamSearchFollowsSeveralTexts() {
        assertThatThrownBy(() -> compare("variants[1].decoding={beams: 2}"))
                .hasMessageContaining(
                        "drafter 'learning' learns from rounds of one text, but a beam search follows several");
    }

    private ComparisonResult compare(String... overrides) {
        var config = config(overrides);
        try (var loaded = LoadedExperiment.load(config, clock, false, Learners.LEARNING)) {
            return new Comparison(loaded.plan(config), clock, new Listener() {}, () -> false).run();
        }
    }

    private static Variant variant(ComparisonResult result, String name) {
        return result.plan().variants().stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static LearningCurve course(List<VariantResult> variants, String name) {
        return variants.stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .flatMap(VariantResult::learningCurve)
                .orElseThrow();
    }

    private ExperimentConfig config(String... overrides) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("/here"))
                .parse(FILE, "fake.yaml", Path.of("/"), ExperimentConfig.class, List.of(overrides))
                .config();
    }
}
