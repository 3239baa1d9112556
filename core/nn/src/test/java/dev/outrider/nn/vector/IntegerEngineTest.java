package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.vector.QuantizedMatrix.IntegerEngine;
import dev.outrider.nn.vector.QuantizedMatrix.PanelIntegers;
import org.junit.jupiter.api.Test;

class IntegerEngineTest {
    @Test
    void withoutALibraryJavaMultiplies() {
        assertThat(IntegerEngine.find("java")).isInstanceOf(PanelIntegers.class);
        assertThat(IntegerEngine.find("auto")).isInstanceOf(PanelIntegers.class);
    }

    @Test
    void anotherWordIsRefused() {
        assertThatThrownBy(() -> IntegerEngine.find("jav"))
                .hasMessageContaining(
                        "the property outrider.integers is 'jav', expected auto or java");
    }
}
