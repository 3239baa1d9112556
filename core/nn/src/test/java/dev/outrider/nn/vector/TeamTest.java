package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TeamTest {
    private static final long MAX_NANOS = 60_000_000_000L;

    @AfterEach
    void alone() {
        Team.use(1);
    }

    @Test
    void everyPartIsDoneOnce() {
        Team.use(3);
        for (int parts = 1; parts < 40; parts++) {
            var done = new AtomicIntegerArray(parts);
            var team = Team.enter();
            try {
                team.run(
                        parts,
                        (_, from, end) -> {
                            for (int part = from; part < end; part++) {
                                done.incrementAndGet(part);
                            }
                        });
            } finally {
                team.leave();
            }
            for (int part = 0; part < parts; part++) {
                assertThat(done.get(part)).isEqualTo(1);
            }
        }
    }

    @Test
    void whatFailsInAnyThreadFailsThePassAndTheNextOneWorks() {
        Team.use(2);
        var team = Team.enter();
        try {
            assertThatThrownBy(() ->
                            team.run(
                                    2,
                                    (worker, _, _) -> {
                                        if (worker == 1) {
                                            throw new ArithmeticException("no");
                                        }
                                    }))
                    .isInstanceOf(ArithmeticException.class);
            team.run(2, (_, _, _) -> {});
            assertThatThrownBy(() ->
                            team.run(
                                    2,
                                    (worker, _, _) -> {
                                        throw new ArithmeticException("both, " + worker);
                                    }))
                    .isInstanceOf(ArithmeticException.class);
            team.run(2, (_, _, _) -> {});
        } finally {
            team.leave();
        }
    }

    @Test
    void aTeamThatSleepsWakesUp() {
        Team.use(2);
        var done = new AtomicIntegerArray(2);
        for (int pass = 0; pass < 20; pass++) {
            var team = Team.enter();
            try {
                awaitSleep(team);
                team.run(
                        2,
                        (_, from, end) -> {
                            for (int part = from; part < end; part++) {
                                done.incrementAndGet(part);
                            }
                        });
            } finally {
                team.leave();
            }
        }
        assertThat(done.get(0) + done.get(1)).isEqualTo(40);
    }

    private static void awaitSleep(Team team) {
        long begun = System.nanoTime();
        while (!team.asleep()) {
            if (System.nanoTime() - begun > MAX_NANOS) {
                throw new AssertionError("a team without work is still awake after a minute");
            }
            Thread.onSpinWait();
        }
    }
}
