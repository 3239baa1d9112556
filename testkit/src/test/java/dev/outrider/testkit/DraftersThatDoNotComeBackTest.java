package dev.outrider.testkit;

import static dev.outrider.testkit.GuardedDecoding.TOKENS;
import static dev.outrider.testkit.GuardedDecoding.WARM;
import static dev.outrider.testkit.GuardedDecoding.coins;
import static dev.outrider.testkit.GuardedDecoding.decode;
import static dev.outrider.testkit.GuardedDecoding.decoder;
import static dev.outrider.testkit.GuardedDecoding.honest;
import static dev.outrider.testkit.GuardedDecoding.plainArgmax;
import static dev.outrider.testkit.GuardedDecoding.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.check.Guard;
import dev.outrider.engine.check.Guard.OnFailure;
import dev.outrider.engine.check.GuardedClose;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.spi.Coins;
import dev.outrider.spi.DecodeEvent;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;
import dev.outrider.testkit.GuardedDecoding.At;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Drafters that compute or wait for ever, whatever interrupts them: no request and no run waits for them.
@Timeout(60)
class DraftersThatDoNotComeBackTest {
    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final Guard PATIENT =
            new Guard(OnFailure.STOP, Optional.of(Duration.ofSeconds(30)));

    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch cameBack = new CountDownLatch(1);
    private final List<PluginFailed> events = new ArrayList<>();
    private volatile Thread stuck = Thread.currentThread();
    private volatile int opened;
    private volatile int closed;
    private volatile int ended;

    @AfterEach
    void letGo() {
        released.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void theRequestGoesOnWithoutADrafterThatDoesNotComeBack(At at) {
        int[] tokens = decode(decoder(stuckAt(at), guard(OnFailure.PLAIN)), events);

        assertThat(tokens).hasSize(TOKENS);
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().code()).isEqualTo(ErrorCode.PLUGIN_FAILED);
        assertThat(events.getFirst().problem())
                .contains("did not answer in " + at.name().toLowerCase(Locale.ROOT))
                .contains("its thread was left behind");
        assertThat(stuck).isNotEqualTo(Thread.currentThread());
        assertThat(stuck.isDaemon()).isTrue();
        assertThat(stuck.isAlive()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theRequestStopsIfItIsTo(At at) {
        var decoder = decoder(stuckAt(at), guard(OnFailure.STOP));

        assertThatThrownBy(() -> decode(decoder, events))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("its thread was left behind");
        assertThat(events).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void argmaxOutputIsThatOfPlainDecoding(At at) {
        var decoder = decoder(stuckAt(at), guard(OnFailure.PLAIN));

        assertThat(decode(decoder, SamplingPolicy.argmax(), events)).containsExactly(plainArgmax());
    }

    @Test
    void theDrafterIsNotCalledAgainInTheRun() {
        var decoder = decoder(stuckAt(At.PROPOSE), guard(OnFailure.PLAIN));
        decode(decoder, events);
        events.clear();

        assertThat(decode(decoder, events)).hasSize(TOKENS);
        assertThat(opened).isEqualTo(1);
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().problem())
                .contains("was not asked to open in round 0")
                .contains("did not come back from an earlier call of this run");
    }

    @Test
    void theOtherSequencesOfABatchDoNotWaitForItInTurn() {
        var decoder = decoder(stuckAt(At.PROPOSE), guard(OnFailure.PLAIN));
        var request = request(WARM);

        var done =
                new BatchDecoder(decoder, 3)
                        .decode(
                                Collections.nCopies(
                                        3, new BatchDecoder.Item(request, coins(), this::record)),
                                () -> false);

        assertThat(done).hasSize(3);
        assertThat(events)
                .extracting(PluginFailed::problem)
                .satisfiesExactly(
                        first -> assertThat(first).contains("its thread was left behind"),
                        second -> assertThat(second).contains("was not asked to propose"),
                        third -> assertThat(third).contains("was not asked to propose"));
    }

    @Test
    void aSessionThatComesBackAfterAllIsClosedOnItsOwnThread() throws InterruptedException {
        decode(decoder(stuckAt(At.PROPOSE), guard(OnFailure.PLAIN)), events);
        assertThat(closed).isZero();

        released.countDown();
        assertThat(stuck.join(Duration.ofSeconds(10))).isTrue();
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void whatWasLentCannotBeReadAfterwards() throws InterruptedException {
        var refused = new ArrayList<String>();
        var drafter =
                sessions(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                                spin();
                                refused.add(problem(() -> scores.logits(0)));
                                refused.add(problem(scores::size));
                                cameBack.countDown();
                            }
                        });
        decode(decoder(drafter, guard(OnFailure.PLAIN)), events);
        released.countDown();

        assertThat(cameBack.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refused)
                .hasSize(2)
                .allMatch(problem -> problem.contains("after the call that lent it"));
    }

    @Test
    void coinsCannotBeDrawnAfterwards() throws InterruptedException {
        var refused = new ArrayList<String>();
        var drafter =
                sessions(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public Draft propose(DraftBudget budget, Coins coins) {
                                spin();
                                refused.add(problem(() -> coins.uniform(StreamRole.DRAFT, 0)));
                                cameBack.countDown();
                                return super.propose(budget, coins);
                            }
                        });
        decode(decoder(drafter, guard(OnFailure.PLAIN)), events);
        released.countDown();

        assertThat(cameBack.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refused)
                .hasSize(1)
                .allMatch(problem -> problem.contains("after the call that lent it"));
    }

    @Test
    void aDrafterInTimeDraftsTheSameOnAThreadOfItsOwn() {
        var read = new ArrayList<List<Float>>();
        var drafter =
                sessions(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                                var row = scores.logits(0);
                                read.add(
                                        List.of(
                                                row.getAtIndex(ValueLayout.JAVA_FLOAT, 0),
                                                row.getAtIndex(ValueLayout.JAVA_FLOAT, 4),
                                                (float) scores.argmax(0),
                                                (float) scores.size(),
                                                (float) scores.vocabularySize()));
                                super.observe(draft, verdict, scores);
                            }
                        });
        int[] here = decode(decoder(drafter, Guard.stopping()), events);
        var readHere = List.copyOf(read);
        read.clear();
        int[] there = decode(decoder(drafter, PATIENT), events);

        assertThat(there).containsExactly(here);
        assertThat(readHere).isNotEmpty();
        assertThat(read).isEqualTo(readHere);
        assertThat(events).isEmpty();
    }

    @Test
    void anExceptionOfTheTargetReachesTheDrafterThatReads() {
        var problems = new ArrayList<String>();
        var drafter =
                sessions(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                                problems.add(problem(() -> scores.logits(99)));
                                super.observe(draft, verdict, scores);
                            }
                        });

        decode(decoder(drafter, PATIENT), events);

        assertThat(problems).isNotEmpty().allMatch(problem -> problem.contains("99"));
    }

    @Test
    void theEndOfARunDoesNotWaitForADrafterThatDoesNotClose() {
        var drafter =
                new WrappedDrafter(honest(), UnaryOperator.identity()) {
                    @Override
                    public void close() {
                        opened++;
                        spin();
                    }
                };
        var guard = guard(OnFailure.STOP);

        new GuardedClose(drafter, guard).run();
        assertThat(guard.left().contains(drafter)).isTrue();
        new GuardedClose(drafter, guard).run();
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void aDrafterThatWasLeftIsNotClosedUnderItsThread() {
        var drafter = stuckAt(At.PROPOSE);
        var guard = guard(OnFailure.PLAIN);
        decode(decoder(drafter, guard), events);

        new GuardedClose(drafter, guard).run();
        assertThat(ended).isZero();
        new GuardedClose(drafter, guard(OnFailure.PLAIN)).run();
        assertThat(ended).isEqualTo(1);
    }

    /// Sessions of an honest drafter, counted.
    private Drafter sessions(UnaryOperator<DraftSession> around) {
        return new WrappedDrafter(
                honest(),
                session -> {
                    opened++;
                    return around.apply(
                            new WrappedDrafter.Session(session) {
                                @Override
                                public void close() {
                                    closed++;
                                    super.close();
                                }
                            });
                }) {
            @Override
            public void close() {
                ended++;
                super.close();
            }
        };
    }

    private Drafter stuckAt(At at) {
        return sessions(session -> {
            stuck(at, At.OPEN);
            return new WrappedDrafter.Session(session) {
                @Override
                public void begin(int[] prompt, HiddenStates promptStates) {
                    stuck(at, At.BEGIN);
                    super.begin(prompt, promptStates);
                }

                @Override
                public Draft propose(DraftBudget budget, Coins coins) {
                    stuck(at, At.PROPOSE);
                    return super.propose(budget, coins);
                }

                @Override
                public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                    stuck(at, At.OBSERVE);
                    super.observe(draft, verdict, scores);
                }

                @Override
                public void close() {
                    super.close();
                    stuck(at, At.CLOSE);
                }
            };
        });
    }

    private void stuck(At at, At here) {
        if (at == here) {
            spin();
        }
    }

    /// Computes until the test is over and looks at no interrupt.
    private void spin() {
        stuck = Thread.currentThread();
        while (released.getCount() > 0) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
    }

    private static Guard guard(OnFailure onFailure) {
        return new Guard(onFailure, Optional.of(DEADLINE));
    }

    private void record(DecodeEvent event) {
        if (event instanceof PluginFailed failed) {
            events.add(failed);
        }
    }

    private static String problem(Runnable reading) {
        try {
            reading.run();
            return "nothing";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
