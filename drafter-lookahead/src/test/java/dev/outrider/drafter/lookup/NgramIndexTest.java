package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookup.PromptLookupConfig.Occurrence;
import dev.outrider.spi.draft.DraftBudget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NgramIndexTest {
    private static final DraftBudget BUDGET = DraftBudget.chain(8);

    @Test
    void guessesWhatASearchFromTheBeginningFinds() {
        for (var occurrence : Occurrence.values()) {
            for (int vocabulary = 2; vocabulary < 30; vocabulary += 9) {
                int[] text = Noise.tokens(vocabulary, 400);
                var config = new PromptLookupConfig(3, 1, 8, occurrence, 0, 1000);
                var index = new NgramIndex(config);
                for (int length = 1; length <= text.length; length++) {
                    index.append(text[length - 1]);

                    assertThat(guess(index))
                            .describedAs("%s, V = %d, %d tokens", occurrence, vocabulary, length)
                            .containsExactly(search(Arrays.copyOf(text, length), config));
                }
            }
        }
    }

    @Test
    void theFirstOccurrenceStopsAtTheEndAsPublished() {
        var index = indexOf(Occurrence.FIRST, 5, 1, 2, 3, 9, 1, 2, 3);

        assertThat(guess(index)).containsExactly(9, 1, 2, 3);
    }

    @Test
    void theLastOccurrenceGoesOnIntoItsOwnGuesses() {
        assertThat(guess(indexOf(Occurrence.LAST, 1, 2, 3, 1, 2, 3)))
                .containsExactly(1, 2, 3, 1, 2, 3, 1, 2);
        assertThat(guess(indexOf(Occurrence.LAST, 4, 4))).containsExactly(4, 4, 4, 4, 4, 4, 4, 4);
    }

    @Test
    void aShorterNgramIsSearchedForOnlyWhenTheLongerOneIsNew() {
        var index = indexOf(Occurrence.FIRST, 7, 2, 5, 1, 2, 6, 1, 2);

        assertThat(guess(index)).startsWith(6);
        assertThat(index.matchLength()).isEqualTo(2);
    }

    @Test
    void aTextThatDoesNotRepeatItselfIsNotGuessedAt() {
        var index = new NgramIndex(new PromptLookupConfig(3, 1, 8, Occurrence.LAST, 0, 1000));
        for (int token = 0; token < 50; token++) {
            index.append(token);
            assertThat(guess(index)).isEmpty();
        }
    }

    @Test
    void aTextThatContradictsTheLookupIsNotGuessedAtAndOneThatCopiesIs() {
        var index = new NgramIndex(new PromptLookupConfig(2, 1, 8, Occurrence.LAST, 0.4, 1000));
        int[] noise = Noise.tokens(6, 300);
        Arrays.stream(noise).forEach(index::append);
        int drafted = 0;
        for (int token : Noise.tokens(6, 100)) {
            drafted += guess(index).length;
            index.append(token);
        }
        assertThat(drafted).isLessThan(10);

        int[] copied = {50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61};
        Arrays.stream(copied).forEach(index::append);
        Arrays.stream(copied, 0, 6).forEach(index::append);
        assertThat(guess(index)).startsWith(56, 57);
    }

    @Test
    void memoryIsBoundedByTheLengthOfTheText() {
        for (int vocabulary : new int[] {1, 50, 5000}) {
            var config = new PromptLookupConfig(4, 1, 8, Occurrence.LAST, 0, 100_000);
            var index = new NgramIndex(config);
            int[] text = Noise.tokens(vocabulary, 20_000);
            Arrays.stream(text).forEach(index::append);

            // The token, and for each n an entry of a table that is at least a quarter full, all
            // doubled by growth.
            long most = 2 * Integer.BYTES * (1 + 4 * 4);
            assertThat(HeldBytes.of(index)).isLessThan(most * text.length);
        }
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> new PromptLookupConfig(3, 4, 8, Occurrence.LAST, 0, 1000))
                .hasMessage("minNgram 4 must be between 1 and 3");
        assertThatThrownBy(() -> new PromptLookupConfig(33, 1, 8, Occurrence.LAST, 0, 1000))
                .hasMessage("maxNgram 33 must be between 1 and 32");
        assertThatThrownBy(() -> new PromptLookupConfig(3, 1, 0, Occurrence.LAST, 0, 1000))
                .hasMessage("length 0 must be between 1 and 1024");
        assertThatThrownBy(() -> new PromptLookupConfig(3, 1, 8, Occurrence.LAST, 1.5, 1000))
                .hasMessage("minChance 1.5 must be between 0 and 1");
        assertThatThrownBy(() -> new PromptLookupConfig(3, 1, 8, Occurrence.LAST, 0, 15))
                .hasMessage("window 15 must be at least 16");
    }

    /// The reference implementation, directly from the definition.
    private static int[] search(int[] text, PromptLookupConfig config) {
        for (int n = config.maxNgram(); n >= config.minNgram(); n--) {
            int found = -1;
            for (int end = n; end < text.length && n <= text.length; end++) {
                boolean same =
                        Arrays.equals(text, end - n, end, text, text.length - n, text.length);
                if (same && (found < 0 || config.occurrence() == Occurrence.LAST)) {
                    found = end;
                }
            }
            if (found >= 0) {
                boolean crop = config.occurrence() == Occurrence.FIRST;
                int most = crop ? Math.min(config.length(), text.length - found) : config.length();
                var guesses = Arrays.copyOf(text, text.length + most);
                for (int i = 0; i < most; i++) {
                    guesses[text.length + i] = guesses[found + i];
                }
                return Arrays.copyOfRange(guesses, text.length, guesses.length);
            }
        }
        return new int[0];
    }

    private static NgramIndex indexOf(Occurrence occurrence, int... text) {
        var index = new NgramIndex(new PromptLookupConfig(3, 1, 8, occurrence, 0, 1000));
        Arrays.stream(text).forEach(index::append);
        return index;
    }

    private static int[] guess(NgramIndex index) {
        var tree = index.guess(BUDGET);
        assertThat(tree.isChain()).isTrue();
        return Arrays.stream(tree.tokens()).skip(1).toArray();
    }
}
