package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LetterTokenizerTest {
    private final LetterTokenizer tokenizer = new LetterTokenizer(30);

    @Test
    void tokensAreLettersAndThenNumbers() {
        assertThat(tokenizer.decode(new int[] {0, 25, 26, 29})).isEqualTo("az<26><29>");
        assertThat(tokenizer.encode("bad", true)).containsExactly(1, 0, 3);
    }

    @Test
    void onlyTokensAreEncoded() {
        assertThat(new LetterTokenizer(3).encode("A cab, d\n{b}", false))
                .containsExactly(2, 0, 1, 1);
    }

    @Test
    void idsBeyondTheVocabularyAreRefused() {
        assertThatThrownBy(() -> tokenizer.piece(30))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("no token 30");
    }
}
