package dev.outrider.spi.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SupportTest {
    @Test
    void aCopyHasTheSameTokensAndAMappedOneHasOthers() {
        var support = Support.of(new double[] {0, .5, .5});
        var copy = support.copy();
        var mapped = support.mapped(token -> 10 * token);

        assertThat(copy.size()).isEqualTo(2);
        assertThat(copy.token(1)).isEqualTo(2);
        assertThat(mapped.size()).isEqualTo(2);
        assertThat(mapped.token(0)).isEqualTo(10);
        assertThat(mapped.token(1)).isEqualTo(20);
        assertThat(Support.of(new double[2]).copy().size()).isZero();
    }
}
