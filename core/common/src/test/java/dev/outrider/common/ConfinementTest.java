package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConfinementTest {
    @Test
    void aSecondThreadIsToldWhoIsInside() {
        var confinement = new Confinement();
        assertThat(confinement.enter()).isEmpty();

        assertThat(elsewhere(confinement)).hasValue(Thread.currentThread().getName());
        confinement.leave();
        assertThat(elsewhere(confinement)).isEmpty();
    }

    private static Optional<String> elsewhere(Confinement confinement) {
        return CompletableFuture.supplyAsync(confinement::enter).join();
    }
}
