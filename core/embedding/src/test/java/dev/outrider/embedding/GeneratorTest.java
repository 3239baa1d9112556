package dev.outrider.embedding;

import static dev.outrider.embedding.DemoModels.drafting;
import static dev.outrider.embedding.DemoModels.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GeneratorTest {
    private static final String PROMPT = "Once upon a time";

    @Test
    void aDrafterWritesTheSameInFewerPasses() {
        try (var plain = plain().open();
                var drafting = drafting().open()) {
            Generation expected = plain.generate(PROMPT, 48);
            Generation found = drafting.generate(PROMPT, 48);

            assertThat(found.text()).isEqualTo(expected.text()).isNotBlank();
            assertThat(found.tokens()).containsExactly(expected.tokens());
            assertThat(found.reason()).isEqualTo(expected.reason());
            assertThat(found.rounds()).isLessThan(expected.rounds());
            assertThat(expected.rounds()).isEqualTo(expected.tokens().length);
        }
    }

    @Test
    void saysWhatItPromises() {
        try (var greedy = drafting().rule("token").open();
                var sampling = drafting().sampling(SamplingPolicy.atTemperature(1)).open();
                var lossy =
                        drafting()
                                .rule("typical")
                                .sampling(SamplingPolicy.atTemperature(1))
                                .allowLossy()
                                .open()) {
            assertThat(greedy.losslessness()).isEqualTo(Losslessness.GREEDY_EQUAL);
            assertThat(greedy.rule()).isEqualTo("greedy");
            assertThat(sampling.losslessness()).isEqualTo(Losslessness.LOSSLESS_IN_DISTRIBUTION);
            assertThat(sampling.rule()).isEqualTo("token");
            assertThat(lossy.losslessness()).isEqualTo(Losslessness.LOSSY);
            assertThat(lossy.rule()).isEqualTo("typical");
            assertThat(lossy.target().name()).isEqualTo("demo-target");
        }
    }

    @Test
    void scoresWhatItWrote() {
        var policy = new SamplingPolicy(.8, 5, 1, 0, 1);
        try (var greedy = drafting().open();
                var sampling = drafting().sampling(policy).open()) {
            var best = greedy.scores(PROMPT, greedy.generate(PROMPT, 12), 1);
            int read = greedy.tokenizer().encode(PROMPT, true).length;

            assertThat(best).hasSize(read - 1 + 12);
            assertThat(best.subList(read - 1, best.size()))
                    .allSatisfy(each -> {
                        assertThat(each.raw().candidates())
                                .containsExactly(
                                        new TokenScore.Candidate(
                                                each.raw().token(), each.raw().logProbability()));
                        assertThat(each.processed()).isEmpty();
                    });
            var written = sampling.generate(PROMPT, 12);
            var drawn = sampling.scores(PROMPT, written, 9).subList(read - 1, read + 11);
            assertThat(drawn.stream().mapToInt(each -> each.raw().token()))
                    .containsExactly(
                            IntStream.of(written.tokens()).boxed().toArray(Integer[]::new));
            assertThat(drawn)
                    .allSatisfy(each -> {
                        assertThat(each.raw().candidates()).hasSize(9);
                        var processed = each.processed().orElseThrow();
                        assertThat(processed.candidates()).hasSize(5);
                        assertThat(processed.candidates())
                                .contains(
                                        new TokenScore.Candidate(
                                                processed.token(), processed.logProbability()));
                    });
        }
    }

    @Test
    void theSameCallsWriteTheSameTextsAndTwoCallsTwo() {
        var texts = new ArrayList<List<String>>();
        for (int run = 0; run < 2; run++) {
            try (var generator =
                    drafting().sampling(SamplingPolicy.atTemperature(1)).seed(7).open()) {
                texts.add(
                        IntStream.range(0, 2)
                                .mapToObj(_ -> generator.generate(PROMPT, 24).text())
                                .toList());
            }
        }

        assertThat(texts.get(0)).isEqualTo(texts.get(1)).doesNotHaveDuplicates();
        try (var other = drafting().sampling(SamplingPolicy.atTemperature(1)).seed(8).open()) {
            assertThat(other.generate(PROMPT, 24).text()).isNotEqualTo(texts.get(0).get(0));
        }
    }

    @Test
    void passesTextOnAsItComesAndStopsAtAStopString() {
        try (var all = drafting().open()) {
            String text = all.generate(PROMPT, 48).text();
            String word = text.strip().split(" ", -1)[4];
            try (var stopping = drafting().stop(word).open()) {
                var pieces = new ArrayList<String>();
                Generation found = stopping.generate(PROMPT, 48, pieces::add);

                assertThat(found.reason()).isEqualTo(FinishReason.STOP_STRING);
                assertThat(found.text()).isEqualTo(text.substring(0, text.indexOf(word)));
                assertThat(String.join("", pieces)).isEqualTo(found.text());
                assertThat(pieces).hasSizeGreaterThan(1);
            }
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> drafting().stop("a", ""))
                .withMessage("a stop string must not be empty");
    }

    @Test
    void tellsAListenerAndEndsWhenAsked() {
        try (var generator = drafting().open()) {
            var metrics = new MetricsCollector();
            int[] prompt = generator.tokenizer().encode(PROMPT, true);
            Generation found =
                    generator.generate(prompt, 48, metrics, () -> metrics.metrics().rounds() == 3);

            assertThat(found.reason()).isEqualTo(FinishReason.CANCELLED);
            assertThat(found.rounds()).isEqualTo(3);
            assertThat(metrics.metrics().emitted()).isEqualTo(found.tokens().length);
        }
    }

    @Test
    void severalThreadsWriteWhatOneWrites() throws Exception {
        try (var generator = drafting().open();
                var threads = Executors.newFixedThreadPool(3)) {
            var prompts = List.of(PROMPT, "The old man", "A small dog");
            var alone = prompts.stream().map(each -> generator.generate(each, 24).text()).toList();
            List<Callable<String>> calls = new ArrayList<>();
            prompts.forEach(each -> calls.add(() -> generator.generate(each, 24).text()));

            var together = new ArrayList<String>();
            for (var result : threads.invokeAll(calls)) {
                together.add(result.get());
            }

            assertThat(together).isEqualTo(alone);
        }
    }

    @Test
    void closesOnceAndNotUnderAGeneration() {
        var generator = plain().open();
        assertThatIllegalStateException()
                .isThrownBy(() -> generator.generate(PROMPT, 4, _ -> generator.close()))
                .withMessageContaining("close() was called during a generation of this thread");
        assertThat(generator.generate(PROMPT, 4).tokens()).hasSize(4);

        generator.close();
        generator.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> generator.generate(PROMPT, 4))
                .withMessage("the generator is closed; generate inside its try block");
    }

    @Test
    void closeWaitsForAGeneration() throws InterruptedException {
        var generator = drafting().open();
        var closing = new ArrayList<Thread>();
        Generation found =
                generator.generate(
                        PROMPT,
                        24,
                        _ -> {
                            if (closing.isEmpty()) {
                                var thread = new Thread(generator::close);
                                closing.add(thread);
                                thread.start();
                                while (thread.isAlive()
                                        && thread.getState() != Thread.State.WAITING) {
                                    Thread.onSpinWait();
                                }
                            }
                        });
        closing.getFirst().join();

        assertThat(found.tokens()).hasSizeGreaterThan(4);
        assertThatIllegalStateException().isThrownBy(() -> generator.generate(PROMPT, 4));
    }

    @Test
    void aTargetWithoutAChatTemplateSaysSo() {
        try (var generator = plain().open()) {
            assertThatThrownBy(() -> generator.chat(List.of("Hello"), 4, _ -> {}))
                    .hasMessage(
                            """
                            CAPABILITY_MISSING: target 'demo-target' has no chat template
                              Use generate with plain text, or choose a target with a chat template.\
                            """);
        }
    }
}
