package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StopRuleTest {
    @Test
    void lowConfidenceStopsBelowTheThresholdOnly() {
        var rule = new StopRule.LowConfidence(0.4);

        assertThat(rule.continuesBelow(0.39999)).isFalse();
        assertThat(rule.continuesBelow(0.4)).isTrue();
        assertThat(rule.guessesFrom(() -> 1e9)).isTrue();
    }

    @Test
    void highEntropyStopsWhereTheBoundFallsBelowTheThreshold() {
        var rule = new StopRule.HighEntropy(0.25, 0.5);

        assertThat(rule.guessesFrom(() -> 1)).as("1 - sqrt(0.25) = 0.5").isTrue();
        assertThat(rule.guessesFrom(() -> 1.0001)).isFalse();
        assertThat(rule.guessesFrom(() -> -1e-17)).as("rounding below zero").isTrue();
        assertThat(rule.guessesFrom(() -> Double.NaN)).isFalse();
        assertThat(rule.continuesBelow(0)).isTrue();
    }

    @Test
    void refusesThresholdsThatMeanNothing() {
        assertThatThrownBy(() -> new StopRule.LowConfidence(0))
                .hasMessage("threshold 0.0 must be in (0, 1]");
        assertThatThrownBy(() -> new StopRule.LowConfidence(Double.NaN))
                .hasMessage("threshold NaN must be in (0, 1]");
        assertThatThrownBy(() -> new StopRule.HighEntropy(0, 0.3))
                .hasMessage("coefficient 0.0 must be positive and threshold 0.3 less than 1");
    }
}
