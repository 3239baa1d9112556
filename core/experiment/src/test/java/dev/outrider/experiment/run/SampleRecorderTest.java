package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Comparison.Listener;
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
                    new Comparison(plan, new FakeClock(), new Listener() {}, () -> false).run();
            Samples samples = SampleRecorder.of(measured).orElseThrow();

            assertThat(samples.prompt()).isEqualTo("text-1");
            assertThat(samples.text()).isEqualTo("ab");
            assertThat(samples.variants())
                    .extracting(Samples.OfVariant::name)
                    .containsExactly("drawn", "best", "greedy");
            for (Samples.OfVariant variant : samples.variants()) {
                List<RoundRecord> rounds =
                        measured.generations().stream()
                                .filter(each ->
                                        each.variant().equals(variant.name()) && each.prompt() == 0)
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
