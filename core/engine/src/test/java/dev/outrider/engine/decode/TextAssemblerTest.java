package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.target.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextAssemblerTest {
    private final List<String> passedOn = new ArrayList<>();

    @Test
    void textThatMayBecomeAStopStringWaits() {
        var text = assembler(new Pieces("", "xa", "b", "y"), "abc");

        assertThat(text.append(0)).isFalse();
        assertThat(passedOn).containsExactly("x");
        assertThat(text.append(1)).isFalse();
        assertThat(passedOn).containsExactly("x");
        assertThat(text.append(2)).isFalse();
        assertThat(passedOn).containsExactly("x", "aby");
        assertThat(text.text()).isEqualTo("xaby");
    }

    @Test
    void textWithoutStopStringsNeverWaits() {
        var text = assembler(new Pieces("", "a", "bc"));
        text.append(0);
        text.append(1);

        assertThat(passedOn).containsExactly("a", "bc");
    }

    @Test
    void aStopStringOverSeveralTokensEndsTheTextBeforeIt() {
        var text = assembler(new Pieces("", "xa", "b", "cy"), "abc", "z");
        text.append(0);
        text.append(1);

        assertThat(text.append(2)).isTrue();
        text.finishStopped();
        assertThat(text.text()).isEqualTo("x");
        assertThat(passedOn).containsExactly("x");
    }

    @Test
    void textBeforeAStopStringInTheSameTokenIsEmitted() {
        var text = assembler(new Pieces("", "xyabcz"), "abc");

        assertThat(text.append(0)).isTrue();
        assertThat(passedOn).isEmpty();
        text.finishStopped();
        assertThat(passedOn).containsExactly("xy");
    }

    @Test
    void aTextThatBeginsWithAStopStringIsEmpty() {
        var text = assembler(new Pieces("", "abcx"), "abc");

        assertThat(text.append(0)).isTrue();
        assertThat(text.text()).isEmpty();
    }

    @Test
    void ofTwoStopStringsTheOneThatBeginsFirstCounts() {
        var text = assembler(new Pieces("", "xabcd"), "bc", "abcd");

        assertThat(text.append(0)).isTrue();
        assertThat(text.text()).isEqualTo("x");
    }

    @Test
    void textHeldBackIsEmittedAtTheEnd() {
        var text = assembler(new Pieces("", "xab"), "abc");
        text.append(0);

        assertThat(text.finish()).isFalse();
        assertThat(passedOn).containsExactly("x", "ab");
    }

    @Test
    void textHeldBackByTheTokenizerMayCompleteAStopString() {
        var text = assembler(new Pieces("c", "xab"), "abc");
        text.append(0);

        assertThat(text.finish()).isTrue();
        assertThat(text.text()).isEqualTo("x");
        assertThat(passedOn).containsExactly("x");
    }

    private TextAssembler assembler(Tokenizer tokenizer, String... stops) {
        return new TextAssembler(tokenizer.stream(), List.of(stops), passedOn::add);
    }

    /// Writes given pieces, and at the end the text that was held back.
    private record Pieces(String heldBack, List<String> pieces) implements Tokenizer {
        Pieces(String heldBack, String... pieces) {
            this(heldBack, List.of(pieces));
        }

        @Override
        public int vocabularySize() {
            return pieces.size();
        }

        @Override
        public int[] encode(String text, boolean addSpecialTokens) {
            throw new AssertionError("nothing is encoded");
        }

        @Override
        public String decode(int[] ids) {
            throw new AssertionError("nothing is decoded at once");
        }

        @Override
        public String piece(int id) {
            return pieces.get(id);
        }

        @Override
        public TokenStream stream() {
            return new TokenStream() {
                @Override
                public String append(int id) {
                    return piece(id);
                }

                @Override
                public String finish() {
                    return heldBack;
                }
            };
        }

        @Override
        public String digest() {
            throw new AssertionError("nothing asks for the name");
        }
    }
}
