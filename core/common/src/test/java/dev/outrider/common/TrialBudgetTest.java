package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrialBudgetTest {
    @Test
    void trialsCostAShareOfTheTimeAndWhatTheyWinIsNotSaved() {
        var budget = new ExplorationBudget(0.1);
        budget.spend(100);
        assertThat(budget.affords(10)).isTrue();
        assertThat(budget.affords(10.1)).isFalse();

        budget.tried(6);
        assertThat(budget.affords(4)).isTrue();
        assertThat(budget.affords(4.1)).isFalse();

        budget.tried(-50);
        assertThat(budget.affords(10)).isTrue();
        assertThat(budget.affords(10.1)).isFalse();
    }
}
