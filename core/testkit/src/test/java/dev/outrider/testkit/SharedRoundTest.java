package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.RunningSequence;
import dev.outrider.engine.decode.SharedRound;
import dev.outrider.engine.decode.SharedRound.Seat;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.testkit.GuardedDecoding.At;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedRoundTest {
    private final WatchedTarget target = new WatchedTarget(GuardedDecoding.TARGET);
    private final SharedRound round = new SharedRound(target, () -> 0);
    private final List<String> log = new ArrayList<>();
    private final List<RunningSequence> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(RunningSequence::close);
    }

    /// The drafters fail in the second round.
    @Test
    void aSequenceThatFailsLeavesTheOthersTheirRound() {
        var seats =
                List.of(
                        seat("sound", GuardedDecoding.honest()),
                        seat("no draft", failing(At.PROPOSE)),
                        seat("deaf", failing(At.OBSERVE)));
        round.run(seats);
        log.clear();
        round.run(seats);

        assertThat(log)
                .containsExactly(
                        "no draft: failed in propose",
                        "sound: scored",
                        "sound: decided",
                        "deaf: scored",
                        "deaf: failed in observe");
    }

    @Test
    void theScoresOfARoundAreClosedAfterIt() {
        round.run(
                List.of(
                        seat("one", GuardedDecoding.honest()),
                        seat("two", GuardedDecoding.honest())));

        assertThat(target.scores())
                .hasSize(2)
                .allSatisfy(scores ->
                        assertThatThrownBy(() -> scores.logits(0))
                                .hasMessage("these scores are closed"));
    }

    private static Drafter failing(At at) {
        return GuardedDecoding.failing(
                at, () -> GuardedDecoding.fail(new IllegalStateException("bug")));
    }

    private Seat seat(String name, Drafter drafter) {
        var sequence =
                GuardedDecoding.decoder(target, drafter, new TokenRejectionRule(), OnFailure.STOP)
                        .open(
                                GuardedDecoding.request(GuardedDecoding.WARM),
                                GuardedDecoding.randomness(),
                                event -> {
                                    if (event instanceof RoundCompleted) {
                                        log.add(name + ": decided");
                                    }
                                });
        opened.add(sequence);
        sequence.prefill();
        return new Logging(name, sequence, log);
    }

    private record Logging(String name, RunningSequence sequence, List<String> log)
            implements Seat {
        @Override
        public void onScores(TargetScores scores) {
            log.add(name + ": scored");
        }

        @Override
        public void onEnd(FinishReason why) {
            throw new AssertionError("no sequence ends in these rounds");
        }

        @Override
        public void onFailure(RuntimeException failure) {
            var call = failure.getMessage().replaceAll(".* (failed in \\w+) (.|\n)*", "$1");
            log.add(name + ": " + call);
        }
    }
}
