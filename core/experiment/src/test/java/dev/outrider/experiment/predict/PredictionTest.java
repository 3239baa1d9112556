package dev.outrider.experiment.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.predict.Prediction.PredictedVariant;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.stats.Interval;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Compares the predictions for models whose distributions are tables with the real loop's measurements.
class PredictionTest {
    private static final String FILE =
            """
            name: fake
            target: {use: table, sure: 0.7, maxPositions: 512}
            prompts: {texts: [ab, ba, abc, bbb, cab, aab, bca, cba]}
            maxTokens: 100
            sampling: {temperature: 1}
            ignoreEndOfSequence: true
            repetitions: 6
            warmup: 0
            allowLossy: true
            variants:
              - name: greedy
                drafter: {use: table, tree: 3}
                sampling: {temperature: 0}
              - name: greedy tree
                drafter: {use: table, agreement: 0.5, tree: {widths: [2, 2, 1]}}
                sampling: {temperature: 0}
              - name: drawn chain
                drafter: {use: table, tree: 4, sampling: {temperature: 1}}
              - name: block
                drafter: {use: table, tree: 4, sampling: {temperature: 1}}
                rule: block
              - name: ranked tree
                drafter: {use: table, tree: {widths: [2, 2]}}
              - name: drawn tree
                drafter: {use: table, tree: {sampledWithoutReplacement: {widths: [2, 1]}}, sampling: {temperature: 1}}
                rule: without-replacement
              - name: lenient
                drafter: {use: table, tree: 4, sampling: {temperature: 1}}
                rule: {use: lenience, factor: 0.5}
              - name: heuristic
                drafter: {use: table, tree: 4}
                draftLength: heuristic
            """;

    private static List<PredictedVariant> found = List.of();

    private final FakeClock clock = new FakeClock();

    @Test
    void foretellsWhatTheLoopMeasures() {
        var found = found();

        assertThat(found).hasSize(8);
        for (var variant : found.subList(0, 2)) {
            assertThat(variant.predicted().orElseThrow().value())
                    .as(variant.variant())
                    .isCloseTo(variant.measured().orElseThrow().value(), within(1e-9));
        }
        for (var variant : found.subList(2, 6)) {
            assertThat(variant.difference().orElseThrow())
                    .as(variant.variant())
                    .isBetween(-0.05, 0.05);
            assertThat(variant.predicted().orElseThrow().least())
                    .isLessThan(variant.predicted().orElseThrow().value());
        }
    }

    @Test
    void saysWhatIsNotForetoldAndWhy() {
        var found = found();

        assertThat(found.get(6).predicted()).isEmpty();
        assertThat(found.get(6).refusal())
                .hasValue("the pairing is lossy: what it would write is not the target's text");
        assertThat(found.get(7).refusal())
                .hasValue("lengths 'heuristic' depend on rounds, and a prediction runs none");
        assertThat(PredictionTable.of(found))
                .contains("not predicted: lenient, since the pairing is lossy")
                .containsPattern("greedy +table +greedy +0\\.00 +\\d\\.\\d\\d +\\[.*\\+0\\.0 %\n");
    }

    @Test
    void stopsWhenAsked() {
        var config = experiment();
        try (var ready = LoadedExperiment.load(config, clock, false)) {
            var prediction = new Prediction(ready.plan(config), (what, done, of) -> {}, () -> true);
            assertThatThrownBy(prediction::run).isInstanceOf(CancellationException.class);
        }
    }

    private List<PredictedVariant> found() {
        if (found.isEmpty()) {
            found = measured();
        }
        return found;
    }

    private List<PredictedVariant> measured() {
        var config = experiment();
        try (var ready = LoadedExperiment.load(config, clock, false)) {
            var plan = ready.plan(config);
            var predicted = new Prediction(plan, (what, done, of) -> {}, () -> false).run();
            var result = new Comparison(plan, clock, new Listener() {}, () -> false).run();
            return Prediction.beside(predicted, result);
        }
    }

    /// The first variant, whose "checkpoint" contains its share of agreement with the target.
    private ExperimentConfig experiment(String... changes) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of(""))
                .parse(
                        FILE,
                        "fake.yaml",
                        Path.of(""),
                        ExperimentConfig.class,
                        Stream.of(changes).toList())
                .config();
    }

    @Test
    void anIntervalThatSaysNothingIsNotShownAsOneThatDoes() {
        var absurd = variant("drawn tree", Interval.of(2.4, -41, 60));
        var sure = variant("chain", Interval.of(2.4, 2.3, 2.5));

        assertThat(absurd.difference()).isEmpty();
        assertThat(absurd.uncertain().orElseThrow())
                .startsWith("2.40 [-41.00, 60.00] reaches below the one token")
                .contains("'outrider predict --measure'")
                .endsWith(
                        "about 44276 times as many texts (prompts.limit, repetitions) would predict it to a tenth");
        assertThat(sure.uncertain()).isEmpty();
        assertThat(PredictionTable.of(List.of(absurd, sure)))
                .containsPattern("drawn tree .* - +too uncertain +2\\.50")
                .containsPattern("chain .* 2\\.40 +\\[2\\.30, 2\\.50\\]")
                .contains("too uncertain: drawn tree, since 2.40 [-41.00, 60.00]")
                .doesNotContain("since 2.40 [2.30");
    }

    private static PredictedVariant variant(String name, Interval rate) {
        return new PredictedVariant(
                name,
                "table",
                "token",
                1,
                java.util.Optional.of(rate),
                java.util.Optional.of(Interval.of(2.5, 2.4, 2.6)),
                java.util.Optional.empty());
    }
}
