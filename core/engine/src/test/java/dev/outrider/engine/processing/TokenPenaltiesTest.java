package dev.outrider.engine.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenPenaltiesTest {
    /// Prompt 0 3, written 1 1, and a draft token 2 on the way to the node.
    private static final TokenHistory HISTORY =
            new TokenHistory(new int[] {0, 3, 1, 1}, 4, new int[] {2}, 2);

    @Test
    void aBiasIsAddedToItsTokens() {
        var bias = TokenPenalties.bias(Map.of(0, 1.5f, 2, Float.NEGATIVE_INFINITY));
        assertThat(bias.name()).isEqualTo("bias");
        assertThat(processed(bias)).containsExactly(11.5f, 10, Float.NEGATIVE_INFINITY, 10);
    }

    @Test
    void penaltiesCountWhatWasWrittenAndDraftedButNotThePrompt() {
        assertThat(processed(TokenPenalties.penalties(1, .25)))
                .containsExactly(10, 8.5f, 8.75f, 10);
        assertThat(processed(TokenPenalties.penalties(-1, 0))).containsExactly(10, 11, 11, 10);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, NaN", "0, Infinity"})
    void aBiasThatMakesNoLogitIsRefused(int token, float value) {
        assertThatThrownBy(() -> TokenPenalties.bias(Map.of(token, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a bias of %s for token %d, expected a finite number or minus infinity, and an id of 0 or more",
                        value, token);
    }

    @ParameterizedTest
    @CsvSource({"NaN, 0", "0, Infinity"})
    void aPenaltyThatIsNoNumberIsRefused(double presence, double frequency) {
        assertThatThrownBy(() -> TokenPenalties.penalties(presence, frequency))
                .hasMessage("penalties %s and %s, expected finite numbers", presence, frequency);
    }

    private static float[] processed(ProcessorChain.Named named) {
        var logits = new float[] {10, 10, 10, 10};
        named.processor().process(MemorySegment.ofArray(logits), HISTORY);
        return logits;
    }
}
