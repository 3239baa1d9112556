package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.Samples.Distributions;
import dev.outrider.experiment.run.Samples.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class SampleRecorderTest {
    private static final String FILE =
            """
            name: fake
            target: table
            prompts: {texts: [ab, ba]}
            maxTokens: 50
            repetitions: 1
            warmup: 0
            sampling: {temperature: 1}
            variants:
              - name: drawn
                drafter: {use: table, agreement: 0.6, tree: 3, sampling: {temperature: 1}}
              - name: best
                drafter: {use: table, agreement: 0.6, tree: 3}
              - name: greedy
                drafter: {use: table, agreement: 0.6, tree: {widths: [2, 1]}}
                sampling: {temperature: 0}
            """;

    @Test
    void showsTheRoundsThatWereMeasured() {
        with(plan -> {
            var measured =
                    new Comparison(plan, new FakeClock(), new Listener() {}, () -> false)
                            .run();
            Samples samples = new SampleRecorder(plan, () -> false).record(1);

            assertThat(samples.prompt()).isEqualTo("text-2");
            assertThat(samples.text()).isEqualTo("ba");
            assertThat(samples.variants())
                    .extracting(Samples.OfVariant::name)
                    .containsExactly("drawn", "best", "greedy");
            for (Samples.OfVariant variant : samples.variants()) {
                List<RoundRecord> rounds =
                        measured.generations().stream()
                                .filter(each ->
                                        each.variant().equals(variant.name()) && each.prompt() == 1)
                                .findFirst()
                                .orElseThrow()
                                .rounds();
                int emitted = 0;
                for (int i = 0; i < variant.rounds().size(); i++) {
                    var round = variant.rounds().get(i);
                    assertThat(round.nodes()).hasSize(rounds.get(i).nodes());
                    assertThat(round.accepted()).hasSize(rounds.get(i).accepted());
                    assertThat(round.emitted()).isEqualTo(rounds.get(i).emitted());
                    emitted += round.emitted();
                }
                assertThat(emitted).isBetween(SampleRecorder.MAX_TOKENS, 50);
            }
        });
    }

    @Test
    void distributionsAreWholeAndTheirOverlapIsBeta() {
        with(plan -> {
            Samples samples = new SampleRecorder(plan, () -> false).record(0);
            Distributions drawn = samples.variants().get(0).distributions().orElseThrow();
            assertThat(drawn.selection()).isEqualTo("independent");
            assertWhole(drawn);
            // Both tables give 0.9 to one token and share the rest: alike, or crossed.
            assertThat(List.of(1.0, 2 * .02 + 4 * .02))
                    .anySatisfy(beta -> assertThat(drawn.beta()).isCloseTo(beta, within(1e-9)));

            Distributions best = samples.variants().get(1).distributions().orElseThrow();
            assertThat(best.selection()).isEqualTo("point mass");
            assertWhole(best);
            Row guess =
                    best.rows().stream()
                            .filter(row -> row.token() == best.drawn())
                            .findFirst()
                            .orElseThrow();
            assertThat(guess.q()).isEqualTo(1);
            assertThat(best.beta()).isCloseTo(guess.p(), within(1e-12));
        });
    }

    private static void assertWhole(Distributions distributions) {
        double p =
                distributions.rows().stream().mapToDouble(Row::p).sum()
                        + distributions.others().p();
        double q =
                distributions.rows().stream().mapToDouble(Row::q).sum()
                        + distributions.others().q();
        double overlap =
                distributions.rows().stream().mapToDouble(row -> Math.min(row.p(), row.q())).sum()
                        + distributions.others().overlap();
        assertThat(p).isCloseTo(1, within(1e-9));
        assertThat(q).isCloseTo(1, within(1e-9));
        assertThat(distributions.beta()).isCloseTo(overlap, within(1e-12));
    }

    @Test
    void thereAreNoDistributionsToShowAtTemperatureZero() {
        with(plan ->
                assertThat(
                                new SampleRecorder(plan, () -> false)
                                        .record(0)
                                        .variants()
                                        .get(2)
                                        .distributions())
                        .isEmpty());
    }

    private static void with(Consumer<ComparisonPlan> test) {
        var clock = new FakeClock();
        var loaded =
                new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                        .parse(FILE, "f.yaml", Path.of("/"), ExperimentConfig.class, List.of());
        try (var loadedExperiment = LoadedExperiment.load(loaded.config(), clock, false)) {
            test.accept(loadedExperiment.plan(loaded.config()));
        }
    }
}
