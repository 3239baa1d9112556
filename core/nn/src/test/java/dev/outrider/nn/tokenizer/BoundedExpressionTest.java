package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedExpressionTest extends TokenizerFiles {
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
                    "\\s+$",
                    "[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
                    "[一-龥぀-ゟ゠-ヿ]+",
                    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
                    " ?[^(\\s|[.,!?…。，、।۔،])]+",
                    "[0-9][0-9][0-9]",
                    "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+",
                    " {2,}");

    @ParameterizedTest
    @FieldSource("PUBLISHED")
    void splitsAnyTextWithPublishedExpressions(String expression) throws IOException {
        var pattern = with("/pre_tokenizer", split(expression));
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
                "a*a*b = has 'b' after several repetitions without bound, which then would step back",
                "a*a+$ = has '$' after several repetitions without bound, which then would step back",
                "\\s*\\S*(?!b) = has '(?!b)' after several repetitions without bound, which then would step back",
                "a{1,100}a*b = has 'b' after several repetitions without bound, which then would step back",
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

    /// The steps count the ways and lengths of what has a bound; the texts are the longest and worst.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a+b = 3",
                "a+$ = 3",
                "\\s*[\\r\\n]+ = 3",
                "(?:b|c)?a{1,100}(?!d) = 30",
                "a+b|a+c = 6",
                "\\w+(?i:ssssssssssssssssssssssssb) = 54"
            })
    void boundsTheTextsOfWhatStepsBack(String example) throws Exception {
        var parts = example.split(" = ", 2);
        assertThat(BoundedExpression.of(parts[0]).squareSteps())
                .isEqualTo(Integer.parseInt(parts[1]));
        try (var tokenizer = load(with("/pre_tokenizer", split(parts[0])))) {
            int longest = (int) Math.sqrt(1e8 / Integer.parseInt(parts[1]));
            assertThat(tokenizer.encode("s".repeat(longest), false)).hasSize(longest);
            assertThat(tokenizer.encode(" ".repeat(longest - 1) + "a", false)).hasSize(longest);
            assertThatThrownBy(() -> tokenizer.encode("a".repeat(longest + 1), false))
                    .hasMessageStartingWith("CONTEXT_EXCEEDED")
                    .hasMessageContaining("expected at most " + longest);
        }
    }

    @Test
    void refusesWhatStepsBackOverTextsWithoutBound() throws IOException {
        assertThat(
                        refusalOf(
                                with(
                                        "/decoder",
                                        "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"a+b\"},\"content\":\"\"}")))
                .startsWith("has in decoder an expression that takes the square");
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

    private static String split(String expression) throws IOException {
        return "{\"type\":\"Split\",\"pattern\":{\"Regex\":%s},\"behavior\":\"Isolated\",\"invert\":false}"
                .formatted(MAPPER.writeValueAsString(expression));
    }

    private static String refusal(String expression) {
        try {
            return "accepted: " + BoundedExpression.of(expression);
        } catch (BoundedExpression.Unsafe e) {
            return Objects.requireNonNull(e.getMessage());
        }
    }
}
