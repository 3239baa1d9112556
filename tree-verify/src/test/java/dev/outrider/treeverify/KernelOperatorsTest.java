package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Kernels contain no operator or constant that a back end compiles into something else; docs/guide/gpu.md says what to write
/// instead.
class KernelOperatorsTest {
    private static final Path KERNELS = Path.of("src/tornado/java/dev/outrider/treeverify/kernels");
    private static final Pattern COMMENT = Pattern.compile("//[^\n]*");
    private static final Pattern AVOIDED =
            Pattern.compile(
                    ">>>|<<\\s*31\\b|intBitsToFloat|(POSITIVE|NEGATIVE)_INFINITY|Float\\.NaN");

    @Test
    void areThoseThatEveryBackEndCompilesAsJavaDoes() throws IOException {
        try (Stream<Path> files = Files.list(KERNELS)) {
            for (var file : files.toList()) {
                assertThat(avoided(Files.readString(file))).describedAs("%s", file).isEmpty();
            }
        }
    }

    @Test
    void areFoundInCodeButNotInComments() {
        assertThat(avoided("a = b >>> 2; // >>>\n c = d <<31; e = f << 3 /// << 31"))
                .containsExactly(">>>", "<<31");
    }

    private static Stream<String> avoided(String source) {
        return AVOIDED.matcher(COMMENT.matcher(source).replaceAll(""))
                .results()
                .map(MatchResult::group);
    }
}
