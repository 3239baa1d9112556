package dev.outrider.testkit;

import static dev.outrider.testkit.GuardedDecoding.TOKENS;
import static dev.outrider.testkit.GuardedDecoding.decode;
import static dev.outrider.testkit.GuardedDecoding.decoder;
import static dev.outrider.testkit.GuardedDecoding.fail;
import static dev.outrider.testkit.GuardedDecoding.failing;
import static dev.outrider.testkit.GuardedDecoding.honest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.check.Guard;
import dev.outrider.engine.check.Guard.OnFailure;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.OutriderException;
import dev.outrider.testkit.GuardedDecoding.At;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Drafters that do not answer in time: what a request comes to when it is to go on, and when it is to stop.
class SlowDraftersTest {
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final Guard PLAIN_IN_TIME = new Guard(OnFailure.PLAIN, Optional.of(DEADLINE));
    private static final Guard STOP_IN_TIME = new Guard(OnFailure.STOP, Optional.of(DEADLINE));

    static Stream<BrokenDrafter> slow() {
        return Stream.of(
                new BrokenDrafter(
                        "waits for ever",
                        FaultyDrafters.hanging(honest(), 1, Duration.ofDays(1)),
                        "did not answer in propose of round 1 within PT1S"),
                BrokenDrafter.in(
                        At.OBSERVE,
                        "waits for ever when it is told the verdict",
                        SlowDraftersTest::hang,
                        "did not answer in observe of round 1"),
                BrokenDrafter.in(
                        At.PROPOSE,
                        "answers too late",
                        SlowDraftersTest::dawdle,
                        "did not answer in propose of round 1"));
    }

    @ParameterizedTest
    @MethodSource("slow")
    void aDrafterThatTakesTooLongIsAskedNoMore(BrokenDrafter slow) {
        var events = new ArrayList<PluginFailed>();

        assertThat(decode(decoder(slow.drafter(), PLAIN_IN_TIME), events)).hasSize(TOKENS);
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().problem()).contains(slow.problem());
    }

    @ParameterizedTest
    @MethodSource("slow")
    void aDrafterThatTakesTooLongEndsTheRequestIfItIsTo(BrokenDrafter slow) {
        assertThatThrownBy(() -> decode(decoder(slow.drafter(), STOP_IN_TIME), new ArrayList<>()))
                .hasMessageContaining(slow.problem());
    }

    @Test
    void threadsOfDraftersEndWithTheRequestAndLeaveNoInterrupt() {
        decode(
                decoder(failing(At.PROPOSE, SlowDraftersTest::dawdle), PLAIN_IN_TIME),
                new ArrayList<>());
        assertThatThrownBy(() ->
                        decode(
                                decoder(
                                        failing(
                                                At.OPEN,
                                                () -> fail(new IllegalStateException("bug"))),
                                        STOP_IN_TIME),
                                new ArrayList<>()))
                .isInstanceOf(OutriderException.class);

        assertThat(Thread.interrupted()).isFalse();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("drafter '"))
                .forEach(thread -> assertThat(ends(thread)).isTrue());
    }

    @Test
    void aDeadlineMustBePositive() {
        assertThatThrownBy(() -> new Guard(OnFailure.PLAIN, Optional.of(Duration.ZERO)))
                .hasMessage("deadline PT0S is not positive");
    }

    private static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /// Takes its time, looks at no interrupt, and answers before it is left.
    private static void dawdle() {
        long end = System.nanoTime() + DEADLINE.multipliedBy(3).dividedBy(2).toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static boolean ends(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
