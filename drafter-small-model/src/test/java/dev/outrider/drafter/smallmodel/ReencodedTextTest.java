package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReencodedTextTest {
    private static final PieceTokenizer LETTERS = new PieceTokenizer(List.of("a", "b", "c"));
    private static final PieceTokenizer SHORT =
            new PieceTokenizer(List.of("c", "b", "a"), Optional.of("bc"), 4);
    private static final Optional<SourceReading> SOURCES =
            Optional.of(new SourceReading(10, List.of(1)));

    private int decoded;

    @Test
    void aTextThatCannotBeEncodedIsNotTriedAgain() {
        for (var lost : List.of(new int[] {0, 0, 0, 0, 0}, new int[] {0, 1, 2})) {
            decoded = 0;
            var text = new ReencodedText(SHORT, counting(LETTERS), Optional.empty());
            int[] more = Arrays.copyOf(lost, lost.length + 1);

            assertThat(text.encode(new int[] {0, 1})).containsExactly(2, 1);
            assertThat(text.encode(lost)).isEmpty();
            assertThat(text.encode(lost)).isEmpty();
            assertThat(text.encode(more)).isEmpty();
            assertThat(decoded).isEqualTo(2);
        }
    }

    /// Sessions continue with any text.
    @Test
    void anotherTextIsTried() {
        var text = new ReencodedText(SHORT, LETTERS, Optional.empty());

        assertThat(text.encode(new int[] {0, 0, 0, 0, 0})).isEmpty();
        assertThat(text.encode(new int[] {0, 0})).containsExactly(2, 2);
        assertThat(text.encode(new int[] {1, 2})).isEmpty();
        assertThat(text.encode(new int[] {2, 1, 1})).containsExactly(0, 1, 1);
    }

    @Test
    void withoutASourceThatCannotBeEncodedThereAreNoGuesses() {
        for (var lost : List.of(List.of(0, 0, 0, 0, 0), List.of(1, 2))) {
            var text = new ReencodedText(SHORT, LETTERS, SOURCES);

            assertThat(text.source(lost)).isEmpty();
            assertThat(text.encode(new int[] {0})).isEmpty();
            assertThat(text.encode(new int[] {1, 0})).isEmpty();
        }
    }

    @Test
    void sourcesAndTextsOfAnEncoderDecoderAreEncoded() {
        var text = new ReencodedText(SHORT, LETTERS, SOURCES);

        assertThat(text.source(List.of(0, 1))).containsExactly(2, 1);
        assertThat(text.encode(new int[] {2})).containsExactly(1, 0);
    }

    /// Ids that the target does not know are reported as a separate error.
    @Test
    void aFailureOfTheTargetsDecoderIsNoTextWithoutGuesses() {
        var failing =
                new ForwardingTokenizer(LETTERS) {
                    @Override
                    public String decode(int[] ids) {
                        throw new OutriderException(ErrorCode.TOKEN_OUT_OF_RANGE, "id -1", "");
                    }
                };
        var text = new ReencodedText(SHORT, failing, SOURCES);

        assertThatThrownBy(() -> text.encode(new int[] {0})).hasMessageContaining("id -1");
        assertThatThrownBy(() -> text.source(List.of(0))).hasMessageContaining("id -1");
    }

    private Tokenizer counting(Tokenizer tokenizer) {
        return new ForwardingTokenizer(tokenizer) {
            @Override
            public String decode(int[] ids) {
                decoded++;
                return super.decode(ids);
            }
        };
    }

    private abstract static class ForwardingTokenizer implements Tokenizer {
        private final Tokenizer tokenizer;

        ForwardingTokenizer(Tokenizer tokenizer) {
            this.tokenizer = tokenizer;
        }

        @Override
        public int vocabularySize() {
            return tokenizer.vocabularySize();
        }

        @Override
        public int[] encode(String text, boolean addSpecialTokens) {
            return tokenizer.encode(text, addSpecialTokens);
        }

        @Override
        public String decode(int[] ids) {
            return tokenizer.decode(ids);
        }

        @Override
        public String piece(int id) {
            return tokenizer.piece(id);
        }

        @Override
        public TokenStream stream() {
            return tokenizer.stream();
        }

        @Override
        public String digest() {
            return tokenizer.digest();
        }
    }
}
