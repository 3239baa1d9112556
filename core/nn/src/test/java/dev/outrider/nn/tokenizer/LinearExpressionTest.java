package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearExpressionTest extends TokenizerFiles {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int RUN = Boolean.getBoolean("outrider.nightly") ? 100_000 : 10_000;
    private static final String SHORT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
    private static final String REST =
            "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
    private static final String CASES =
            "[^\\r\\n\\p{L}\\p{N}]?%1$s*%2$s+%3$s|[^\\r\\n\\p{L}\\p{N}]?%1$s+%2$s*%3$s";

    /// GPT-2, cl100k and Llama 3, Qwen 2, Qwen 3.5, o200k, Mistral's Tekken, DeepSeek V3 (three in turn), Bloom,
    /// Falcon, CLIP, T5 (spaces).
    static final List<String> PUBLISHED =
            List.of(
                    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
                    SHORT + "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}" + REST,
                    SHORT + "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}" + REST,
                    SHORT
                            + "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}"
                            + REST.replace("\\p{L}", "\\p{L}\\p{M}"),
                    CASES.formatted(UPPER, LOWER, SHORT + "?")
                            + "|\\p{N}{1,3}"
                            + REST.replace("[\\r\\n]*", "[\\r\\n/]*"),
                    CASES.formatted(UPPER, LOWER, "")
                            + "|\\p{N}"
                            + REST.replace("[\\r\\n]*", "[\\r\\n/]*"),
                    "\\p{N}{1,3}",
                    "[一-龥぀-ゟ゠-ヿ]+",
                    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
                    " ?[^(\\s|[.,!?…。，、।۔،])]+",
                    "[0-9][0-9][0-9]",
                    "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+",
                    " {2,}");

    @ParameterizedTest
    @FieldSource("PUBLISHED")
    void splitsAnyTextWithPublishedExpressions(String expression) throws IOException {
        var pattern =
                with(
                        "/pre_tokenizer",
                        "{\"type\":\"Split\",\"pattern\":{\"Regex\":%s},\"behavior\":\"Isolated\",\"invert\":false}"
                                .formatted(MAPPER.writeValueAsString(expression)));
        var random = new Random(11);
        var alphabet = "aA1 \n\r\t.'sé日\u0301ǅʰ".codePoints().toArray();
        try (var tokenizer = load(pattern)) {
            for (int letter : alphabet) {
                var run = Character.toString(letter).repeat(RUN);
                assertThat(tokenizer.encode(run, false)).isNotEmpty();
                assertThat(tokenizer.encode(run + "x" + run, false)).isNotEmpty();
            }
            var mixed = random.ints(100_000, 0, alphabet.length).map(i -> alphabet[i]).toArray();
            assertThat(tokenizer.encode(new String(mixed, 0, mixed.length), false)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+$ = repeats without bound in the group or lookaround that has 'a+'",
                "(a|a)*b = repeats the group '(a|a)*'",
                "(?:a|b){2} = repeats the group '(?:a|b){2}'",
                "a+b = has 'b' after a repetition without bound, which then would step back",
                "a*a*b = has 'b' after a repetition without bound, which then would step back",
                "a+$ = has '$' after a repetition without bound, which then would step back",
                "\\s*[\\r\\n]+ = has '[\\r\\n]+' after a repetition without bound, which then would step back",
                "\\s+(?!\\S) = has '(?!\\S)' after a repetition without bound, which then would step back",
                "a{1,100}b = has 'b' after a repetition without bound, which then would step back",
                "(?=a+)b = repeats without bound in the group or lookaround that has 'a+'",
                "a{0,60}a{0,60}b = has more than 256 ways to match up to 'a{0,60}'",
                "(a)\\1 = has '\\1', which cannot be judged",
                "\\X = has '\\X', which cannot be judged",
                "(?x) a = has a group of a kind that cannot be judged",
                "(?>a) = has a group of a kind that cannot be judged",
                "a{1,3}{1,3} = has a '{' that cannot be judged there",
                "a{1,3}+ = has a '+' that cannot be judged there",
                "[]a] = has a class that begins with ']'",
                "[a = has an open class '[a'",
                "(a = has an open group '(a'",
                "a)b = has a ')' too many",
                "\\p{ = has a property that is not a name in braces",
                "\\ = ends in a backslash"
            })
    void tellsWhyOthersAreRefused(String example) {
        var parts = example.split(" = ", 2);
        assertThat(refusal(parts[0])).isEqualTo(parts[1]);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 20_000})
    void refusesWhatIsTooDeepOrTooLong(int depth) {
        assertThat(refusal("(".repeat(depth) + "a" + ")".repeat(depth)))
                .containsAnyOf("nests groups more than 16 deep", "has 40001 characters");
        assertThat(refusal("[a".repeat(depth) + "]".repeat(depth)))
                .containsAnyOf("nests classes more than 16 deep", "characters; expected");
        var many = new String[65];
        Arrays.fill(many, "a");
        assertThat(refusal(String.join("|", many)))
                .isEqualTo("has 65 alternatives; expected at most 64");
    }

    private static String refusal(String expression) {
        try {
            return "accepted: " + LinearExpression.of(expression);
        } catch (LinearExpression.Unsafe e) {
            return Objects.requireNonNull(e.getMessage());
        }
    }
}
