package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HitRatesTest {
    private final HitRates rates = new HitRates();

    @Test
    void longMatchesAreTrustedMoreBeforeAnythingIsKnown() {
        double before = 0;
        for (int length : new int[] {1, 2, 3, 5, 9, 17}) {
            assertThat(rates.rate(length)).isBetween(before + 0.01, 1.0);
            before = rates.rate(length);
        }
        assertThat(rates.rate(4)).isEqualTo(rates.rate(3));
        assertThat(rates.rate(1000)).isEqualTo(rates.rate(17));
    }

    @Test
    void ratesFollowWhatHappensLately() {
        for (int i = 0; i < 50; i++) {
            rates.record(3, true);
        }
        assertThat(rates.rate(4)).isGreaterThan(0.85);
        assertThat(rates.rate(5)).isEqualTo(new HitRates().rate(5));
        for (int i = 0; i < 50; i++) {
            rates.record(4, false);
        }
        assertThat(rates.rate(3)).isLessThan(0.15);
    }

    @Test
    void guessesWhileTheChanceThatAllAreRightSuffices() {
        double two = rates.rate(2);
        double three = rates.rate(3);

        assertThat(rates.worthGuessing(2, two, 10)).isEqualTo(1);
        assertThat(rates.worthGuessing(2, two * three, 10)).isEqualTo(2);
        assertThat(rates.worthGuessing(2, two + 0.01, 10)).isZero();
        assertThat(rates.worthGuessing(2, two * three, 1)).isEqualTo(1);
        assertThat(rates.worthGuessing(1, 0, 10)).isEqualTo(10);
    }
}
