package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VectorMachineTest {
    @Test
    void anUnknownWayToMultiplyIntegersIsRefused() {
        assertThatThrownBy(() -> VectorMachine.requireKnown("jav"))
                .hasMessageContaining(
                        "the property outrider.kernels is 'jav', expected one of auto, pairs, java");
    }
}
