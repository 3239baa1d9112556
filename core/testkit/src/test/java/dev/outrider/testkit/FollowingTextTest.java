package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.decode.FollowingText;
import dev.outrider.spi.target.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pieces with a space before a word, which is dropped at the beginning of a text, and pieces that are bytes of a character.
class FollowingTextTest {
    private final Tokenizer tokenizer =
            new Words(List.of(" the", " sea", "s", "\u00c3", "\u00a9", ""));

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
    void aTokensTextIsWhatItAddsToTheOneBefore() {
        assertThat(FollowingText.of(tokenizer, 0, 1)).isEqualTo(" sea");
        assertThat(FollowingText.of(tokenizer, -1, 1)).isEqualTo("sea");
        assertThat(FollowingText.of(tokenizer, 9, 1)).isEqualTo("sea");
        assertThat(FollowingText.of(tokenizer, 3, 4)).isEqualTo("\uFFFD");
        assertThat(FollowingText.of(tokenizer, 0, 5)).isEqualTo("[5]");
        assertThat(FollowingText.of(tokenizer, 0, 7)).isEqualTo("#7");
    }

    private record Words(List<String> pieces) implements Tokenizer {
        @Override
        public int vocabularySize() {
            return pieces.size();
        }

        @Override
        public int[] encode(String text, boolean addSpecialTokens) {
            throw new UnsupportedOperationException("these tests decode only");
        }

        @Override
        public String decode(int[] ids) {
            var joined = new StringBuilder();
            for (int id : ids) {
                joined.append(pieces.get(id));
            }
            var text =
                    new String(
                            joined.toString().getBytes(StandardCharsets.ISO_8859_1),
                            StandardCharsets.UTF_8);
            return text.startsWith(" ") ? text.substring(1) : text;
        }

        @Override
        public String piece(int id) {
            return pieces.get(id).isEmpty() ? "[%d]".formatted(id) : pieces.get(id);
        }

        @Override
        public TokenStream stream() {
            var ids = new ArrayList<Integer>();
            return new TokenStream() {
                private int written;

                @Override
                public String append(int id) {
                    ids.add(id);
                    var text = decode(ids.stream().mapToInt(Integer::intValue).toArray());
                    int whole = text.length();
                    while (whole > written && text.charAt(whole - 1) == '\uFFFD') {
                        whole--;
                    }
                    var added = text.substring(written, whole);
                    written = whole;
                    return added;
                }

                @Override
                public String finish() {
                    return decode(ids.stream().mapToInt(Integer::intValue).toArray())
                            .substring(written);
                }
            };
        }

        @Override
        public String digest() {
            return "words";
        }
    }
}
