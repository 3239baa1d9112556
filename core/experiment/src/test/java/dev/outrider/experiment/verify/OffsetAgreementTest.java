package dev.outrider.experiment.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.verify.OffsetAgreement.Alignment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffsetAgreementTest {
    private static final int LENGTH = 4;
    private static final int VOCABULARY = 50;

    private final OffsetAgreement agreement = new OffsetAgreement();

    @Test
    void everyGuessIsComparedWithItsPlaceAndBothNeighbours() {
        int[] text = {1, 2, 3, 4, 5};

        agreement.add(text, 0, 2, 2, 5, 9);

        // The fourth guess is at the text's last place, and the fifth token has no token after it.
        assertThat(agreement.slots()).isEqualTo(3);
        assertThat(agreement.counted()).isEqualTo(3);
        assertThat(agreement.agreement(0, 0)).isEqualTo(1);
        assertThat(agreement.agreement(1, -1)).isEqualTo(1);
        assertThat(agreement.agreement(2, 1)).isEqualTo(1);
        for (int offset : OffsetAgreement.OFFSETS) {
            assertThat(agreement.agreement(offset)).isEqualTo(1.0 / 3, within(1e-15));
        }
        // The guesses are 2, 2, 5 and the text has 2, 3, 4: two thirds times one third.
        assertThat(agreement.chance()).isEqualTo(2.0 / 9, within(1e-15));
    }

    @Test
    void theFirstGuessHasTheRootBeforeIt() {
        agreement.add(new int[] {7, 8, 9}, 0, 7);

        assertThat(agreement.agreement(0, -1)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"-1, ONE_BEFORE", "0, RIGHT", "1, ONE_AFTER"})
    void theOffsetOfAgreementIsNamed(int offset, Alignment expected) {
        draftAtEveryPlace(agreement, offset, 0.6);

        assertThat(agreement.alignment()).isEqualTo(expected);
    }

    @Test
    void guessesOfAnotherTextAreAtChance() {
        draftAtEveryPlace(agreement, 0, 0);

        assertThat(agreement.agreement(0)).isEqualTo(agreement.chance(), within(0.05));
        assertThat(agreement.alignment()).isEqualTo(Alignment.CHANCE);
    }

    @Test
    void aReadingIsBelowAnotherOnlyByMoreThanItsNoise() {
        draftAtEveryPlace(agreement, 0, 0.4);
        var better = new OffsetAgreement();
        draftAtEveryPlace(better, 0, 0.7);
        var alike = new OffsetAgreement();
        draftAtEveryPlace(alike, 0, 0.45);

        assertThat(agreement.clearlyBelow(better)).isTrue();
        assertThat(better.clearlyBelow(agreement)).isFalse();
        assertThat(agreement.clearlyBelow(alike)).isFalse();
    }

    @Test
    void aTextOfOneTokenTellsNothing() {
        int[] text = new int[80];
        for (int root = 0; root < text.length; root++) {
            agreement.add(text, root, 0, 0, 0, 0);
        }

        assertThat(agreement.agreement(0)).isEqualTo(1);
        assertThat(agreement.alignment()).isEqualTo(Alignment.CHANCE);
    }

    @Test
    void noGuessesAreAtChance() {
        assertThat(agreement.alignment()).isEqualTo(Alignment.CHANCE);
    }

    /// Guesses that equal the token at an offset with some probability, otherwise random ones.
    private static void draftAtEveryPlace(
            OffsetAgreement agreement, int offset, double probability) {
        var random = new Random(1);
        int[] text = IntStream.range(0, 150).map(_ -> random.nextInt(VOCABULARY)).toArray();
        for (int root = 0; root + LENGTH + 1 < text.length; root++) {
            int[] guesses = Arrays.copyOfRange(text, root + 1 + offset, root + 1 + offset + LENGTH);
            Arrays.setAll(
                    guesses,
                    slot ->
                            random.nextDouble() < probability
                                    ? guesses[slot]
                                    : random.nextInt(VOCABULARY));
            agreement.add(text, root, guesses);
        }
    }
}
