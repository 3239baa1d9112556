package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests races on a clock that advances by a millisecond at every reading, so that a round takes equally long on both sides.
class RaceTest {
    private static final int TOKENS = 40;
    private static final String CONFIG =
            """
            name: race
            maxTokens: %d
            target: {use: vector, path: '%s'}
            variants:
              - {name: drafts, drafter: {use: small-model, path: '%s', length: 3}}
            """
                    .formatted(
                            TOKENS, Shipped.TINY_TARGET, Shipped.ROOT.resolve("models/tiny-draft"));

    private final AtomicLong reads = new AtomicLong();
    private final ExperimentConfig experiment =
            Run.context().parsed(CONFIG, "test", ExperimentConfig.class, List.of()).config();
    private LoadedExperiment loaded;

    @BeforeEach
    void load() {
        loaded =
                LoadedExperiment.load(experiment, () -> reads.incrementAndGet() * 1_000_000, false);
    }

    @AfterEach
    void close() {
        loaded.close();
    }

    @Test
    void theSideWithFewerRoundsEndsFirstAndSaysHowMuchFasterItWas() {
        try (var race = race()) {
            while (!done(race.screen(List.of(), List.of()).right())) {
                race.step();
                assertThat(race.sentence()).isEqualTo("Stopped before the end.");
            }
            assertThat(done(race.screen(List.of(), List.of()).left())).isFalse();
            while (!race.over()) {
                race.step();
            }

            assertThat(race.refuted()).isFalse();
            assertThat(race.sentence())
                    .matches("Same text \\(all 40 ids are equal\\), 1\\.[0-9]+ times as fast\\.");
        }
    }

    @Test
    void anotherTextRefutesTheDrafter() {
        var yaml =
                "name: race\ntarget: {use: vector, path: '%s'}\nvariants: []\n"
                        .formatted(Shipped.ROOT.resolve("models/demo-target"));
        var config = Run.context().parsed(yaml, "test", ExperimentConfig.class, List.of()).config();
        try (var other = LoadedExperiment.load(config, reads::incrementAndGet, false);
                var race =
                        new Race(
                                loaded.variants().getFirst(),
                                other.variants().getFirst(),
                                request(),
                                0)) {
            while (!race.over()) {
                assertThat(race.refuted()).isFalse();
                race.step();
            }

            assertThat(race.refuted()).isTrue();
            assertThat(race.exitCode()).isEqualTo(ExitCode.REJECTED);
            assertThat(race.sentence())
                    .matches("NOT the same text: the ids differ from token [0-9]+ on\\.");
        }
    }

    @Test
    void bothSidesDecodeInTurns() {
        try (var race = race()) {
            for (int step = 0; step < TOKENS; step++) {
                race.step();
            }
            var screen = race.screen(List.of(), List.of());

            assertThat(List.of(screen.left(), screen.right()))
                    .allSatisfy(
                            side -> assertThat(side.numbers().getLast()).startsWith("19 rounds"));
        }
    }

    @Test
    void aRaceThatIsLeftEndsItsThreads() {
        var race = race();
        race.step();

        race.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("race-"));
    }

    private Race race() {
        var variants = loaded.variants();
        return new Race(variants.getFirst(), variants.getLast(), request(), 0);
    }

    private DecodeRequest request() {
        var prompt = EncodedPrompt.of(loaded.target(), Optional.empty(), "The");
        return Subcommand.request(experiment, loaded.variants().getFirst(), prompt);
    }

    private static boolean done(RaceScreen.Panel panel) {
        return panel.numbers().getFirst().endsWith(", done");
    }
}
