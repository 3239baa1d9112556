package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.decode.FollowingText;
import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FollowingTextTest {
    private final Tokenizer tokenizer = new WordPieces();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 8, 9, 70})
    void aStreamAfterAPromptKeepsTheSpaceThatATextOfItsOwnDrops(int words) {
        var prompt = new int[words];
        var stream = FollowingText.stream(tokenizer, prompt);
        assertThat(stream.append(1) + stream.append(2) + stream.finish())
                .isEqualTo(words == 0 ? "seas" : " seas");
    }

    @Test
    void aCharacterThatThePromptBeginsIsWritten() {
        var stream = FollowingText.stream(tokenizer, new int[] {0, 1, 3});
        assertThat(stream.append(4) + stream.append(2) + stream.finish()).isEqualTo("\u00e9s");
    }

    @Test
    void aPromptOfHalfCharactersIsReadFurtherBack() {
        var prompt = new int[20];
        Arrays.fill(prompt, 4);
        prompt[0] = 0;
        var stream = FollowingText.stream(tokenizer, prompt);
        assertThat(stream.append(1) + stream.finish()).isEqualTo(" sea");
    }

    @Test
    void aPromptWhoseEndHasNoTextIsReadFurtherBack() {
        var prompt = new int[20];
        Arrays.fill(prompt, 5);
        prompt[5] = 0;
        var stream = FollowingText.stream(tokenizer, prompt);
        assertThat(stream.append(1) + stream.finish()).isEqualTo(" sea");
    }

    /// The last 8 and the last 16 tokens begin with the second half of a character.
    @Test
    void aPromptWhoseEndBeginsInsideACharacterIsReadFurtherBack() {
        var prompt = new int[19];
        Arrays.setAll(prompt, index -> 3 + index % 2);
        var stream = FollowingText.stream(tokenizer, prompt);
        assertThat(stream.append(4) + stream.append(2)).isEqualTo("\u00e9s");
    }

    @Test
    void whatTheTokenizerHeldBackIsWrittenAtTheEnd() {
        var stream = FollowingText.stream(tokenizer, new int[] {0});
        assertThat(stream.append(3)).isEmpty();
        assertThat(stream.finish()).isEqualTo("\uFFFD");
    }

    @Test
    void aTokensTextIsWhatItAddsToTheOneBefore() {
        assertThat(FollowingText.of(tokenizer, 0, 1)).isEqualTo(" sea");
        assertThat(FollowingText.of(tokenizer, -1, 1)).isEqualTo("sea");
        assertThat(FollowingText.of(tokenizer, 6, 1)).isEqualTo("sea");
        assertThat(FollowingText.of(tokenizer, 3, 4)).isEqualTo("\uFFFD");
        assertThat(FollowingText.of(tokenizer, 0, 5)).isEqualTo("[5]");
        assertThat(FollowingText.of(tokenizer, 0, 6)).isEqualTo("#6");
    }
}
