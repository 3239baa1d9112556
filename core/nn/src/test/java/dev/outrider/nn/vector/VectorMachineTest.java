package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VectorMachineTest {
    @Test
    void provenanceNamesWhatMultipliesFloatsAndIntegers() {
        boolean kernels = FloatTiles.runs(PanelFormat.F16.blocks());

        assertThat(VectorMachine.products())
                .startsWith("floats by " + (kernels ? "machine code," : "Java's vector code,"))
                .endsWith(", integers by " + VectorMachine.integers());
    }

    @Test
    void anUnknownWayToMultiplyIntegersIsRefused() {
        assertThatThrownBy(() -> VectorMachine.requireKnown("jav"))
                .hasMessageContaining(
                        "the property outrider.kernels is 'jav', expected one of auto, pairs, java");
    }
}
