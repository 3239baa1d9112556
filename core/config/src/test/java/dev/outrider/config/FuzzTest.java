package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Reading any file ends in a configuration or in an error for the user.
final class FuzzTest {
    private static final int CASES = 3_000;
    private static final String SEED_FILE =
            """
            name: demo
            question: |
              Which "one"?
            model: ../models/target
            allowLossy: false   # comment
            max-tokens: 1_000
            timeout: 1m30s
            precision: mixed-half
            sampling: {temperature: 7e-1, top-k: 40}
            stop: ["\\n", 'END']
            weights:
              ? a
              : 1.5
            plan: {widths: [4, 2, 2]}
            variants:
              - name: short
                drafter: lookup
              - name: long
                drafter: {use: small-model, path: d, depth: 6}
            """;
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ":",
        ": ",
        "- ",
        "\n",
        "\n  ",
        "\t",
        "&a ",
        "*a",
        "!!int ",
        "!x ",
        "<<: ",
        "? ",
        "|",
        ">-\n",
        "'",
        "\"",
        "#",
        "%YAML 1.1\n",
        "---\n",
        "...\n",
        "\\u0000",
        "\u0000",
        "\uFEFF",
        "\uD83D\uDE80",
        "\uD800",
        "~",
        "null",
        "1e400",
        "-",
        ",",
        "use: ",
        "@",
        "`",
        "\u2028",
        "\u0085",
        "0x1F",
        "1:30",
        "99999999999999999999",
        "\r",
        "plan: "
    };

    @Test
    void mutatedFilesFailOnlyWithErrorsForUsers() {
        long seed = Long.getLong("seed", 20260101L);
        Map<ErrorCode, Integer> failures = new HashMap<>();
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            var random = new SplittableRandom(seed + i);
            String yaml = mutate(random);
            String override =
                    random.nextInt(4) == 0
                            ? "variants[1]." + piece(random) + "=" + piece(random)
                            : "name=x";
            try {
                Sample.parse(yaml, override);
                read++;
            } catch (OutriderException e) {
                failures.merge(e.code(), 1, Integer::sum);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        "replay with -Dseed=" + (seed + i) + "\n" + yaml + "\n--set " + override,
                        e);
            }
        }
        assertThat(failures.keySet())
                .containsExactlyInAnyOrder(ErrorCode.CONFIG_SYNTAX, ErrorCode.CONFIG_INVALID);
        assertThat(read).isGreaterThan(CASES / 100);
    }

    private static String mutate(SplittableRandom random) {
        var text = new StringBuilder(SEED_FILE);
        int edits = 1 + random.nextInt(4);
        for (int i = 0; i < edits; i++) {
            int at = random.nextInt(text.length());
            int to = Math.min(text.length(), at + 1 + random.nextInt(6));
            switch (random.nextInt(4)) {
                case 0 -> text.delete(at, to);
                case 1 -> text.insert(at, piece(random));
                case 2 -> text.replace(at, to, piece(random));
                case 3 -> text.insert(at, text.substring(random.nextInt(at + 1), at));
                default -> throw new AssertionError("nextInt(4) is below 4");
            }
        }
        return text.toString();
    }

    private static String piece(SplittableRandom random) {
        return PIECES[random.nextInt(PIECES.length)];
    }
}
