package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Comparison.Listener;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /// Its text fails after a while.
    @Test
    void showsAnotherPromptIfTheFirstFailsLater() {
        var measured = new ArrayList<String>();
        var listener =
                new Listener() {
                    @Override
                    public void measured(Variant variant, Prompt prompt, GenerationRecord record) {
                        measured.add(prompt.id());
                    }
                };
        var clock = new FakeClock();
        with(
                FILE.replace("[ab, ba]", "[eb, ba]").replace("repetitions: 1", "repetitions: 9"),
                clock,
                plan -> {
                    var result = new Comparison(plan, clock, listener, () -> false).run();
                    assertThat(measured).startsWith("text-1");
                    assertThat(result.failures()).hasSize(1);

                    var samples = SampleRecorder.of(result).orElseThrow();
                    assertThat(samples.prompt()).isEqualTo("text-2");
                    assertThat(samples.variants())
                            .hasSize(3)
                            .allMatch(variant -> !variant.rounds().isEmpty());
                });
    }

    private static void with(Consumer<ComparisonPlan> test) {
        with(FILE, new FakeClock(), test);
    }

    private static void with(String file, FakeClock clock, Consumer<ComparisonPlan> test) {
        var loaded =
                new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                        .parse(file, "f.yaml", Path.of("/"), ExperimentConfig.class, List.of());
        try (var loadedExperiment = LoadedExperiment.load(loaded.config(), clock, false)) {
            test.accept(loadedExperiment.plan(loaded.config()));
        }
    }
}
