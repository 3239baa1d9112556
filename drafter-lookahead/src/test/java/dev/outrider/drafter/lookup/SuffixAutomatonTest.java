package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SuffixAutomatonTest {
    @Test
    void theMatchIsTheLongestSuffixThatOccurredBeforeAndItsFirstPlace() {
        for (int vocabulary = 1; vocabulary < 12; vocabulary += 3) {
            int[] text = Noise.tokens(vocabulary, 250);
            var automaton = new SuffixAutomaton();
            for (int length = 1; length <= text.length; length++) {
                automaton.append(text[length - 1]);

                int longest = longestRepeatedSuffix(text, length);
                assertThat(automaton.matchLength())
                        .describedAs("V = %d, %d tokens", vocabulary, length)
                        .isEqualTo(longest);
                if (longest > 0) {
                    assertThat(automaton.firstEnd(automaton.match()))
                            .isEqualTo(firstEnd(text, length, longest));
                }
            }
        }
    }

    @Test
    void linksLeadToShorterSuffixesAndTheirFirstPlaces() {
        int[] text = Noise.tokens(3, 200);
        var automaton = new SuffixAutomaton();
        Arrays.stream(text).forEach(automaton::append);
        int state = automaton.match();
        int matched = automaton.matchLength();
        int steps = 0;
        while (state != SuffixAutomaton.ROOT) {
            assertThat(automaton.firstEnd(state)).isEqualTo(firstEnd(text, text.length, matched));
            state = automaton.link(state);
            assertThat(automaton.length(state)).isLessThan(matched);
            matched = automaton.length(state);
            steps++;
        }
        assertThat(steps).isGreaterThan(1);
    }

    @Test
    void statesAndEdgesAndMemoryAreBoundedByTheLengthOfTheText() {
        for (int vocabulary : new int[] {1, 2, 50, 5000}) {
            var automaton = new SuffixAutomaton();
            int[] text = Noise.tokens(vocabulary, 20_000);
            Arrays.stream(text).forEach(automaton::append);

            assertThat(automaton.states()).isLessThanOrEqualTo(2 * text.length);
            assertThat(automaton.edges()).isLessThanOrEqualTo(3 * text.length);
            // 2 states, 3 edges and the table, each up to doubled by growth.
            assertThat(HeldBytes.of(automaton)).isLessThan(256L * text.length);
        }
    }

    private static int longestRepeatedSuffix(int[] text, int length) {
        int longest = 0;
        for (int end = 1; end < length; end++) {
            int same = 0;
            while (same < end && text[end - 1 - same] == text[length - 1 - same]) {
                same++;
            }
            longest = Math.max(longest, same);
        }
        return longest;
    }

    private static int firstEnd(int[] text, int length, int matched) {
        int end = matched;
        while (!Arrays.equals(text, end - matched, end, text, length - matched, length)) {
            end++;
        }
        return end - 1;
    }
}
