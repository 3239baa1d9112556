package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Names of kernels are free in the languages that TornadoVM compiles them to. A kernel called `norm` did not compile on any GPU
/// through CUDA, and every test on OpenCL passed.
class KernelNamesTest {
    private static final Path SOURCES = Path.of("src/tornado/java");
    private static final Pattern KERNEL = Pattern.compile("static void (\\w+)\\(\\s*KernelContext");

    /// Functions of CUDA's math header and of C without a suffix for their type, and OpenCL's functions and words that a kernel of
    /// a decoder might be called.
    private static final Set<String> TAKEN =
            Set.of(
                    "abs",
                    "acos",
                    "all",
                    "any",
                    "asin",
                    "atan",
                    "auto",
                    "barrier",
                    "cbrt",
                    "ceil",
                    "clamp",
                    "copysign",
                    "cos",
                    "cosh",
                    "cross",
                    "degrees",
                    "distance",
                    "div",
                    "dot",
                    "erf",
                    "erfc",
                    "erfcinv",
                    "erfcx",
                    "erfinv",
                    "exp",
                    "expm1",
                    "extern",
                    "fabs",
                    "fast",
                    "fdim",
                    "floor",
                    "fma",
                    "fmax",
                    "fmin",
                    "fmod",
                    "free",
                    "frexp",
                    "gamma",
                    "global",
                    "half",
                    "hypot",
                    "ilogb",
                    "index",
                    "inline",
                    "j0",
                    "j1",
                    "jn",
                    "kernel",
                    "ldexp",
                    "length",
                    "lgamma",
                    "local",
                    "log",
                    "log1p",
                    "logb",
                    "max",
                    "min",
                    "mix",
                    "modf",
                    "norm",
                    "norm3d",
                    "norm4d",
                    "normalize",
                    "normcdf",
                    "normcdfinv",
                    "pow",
                    "printf",
                    "private",
                    "radians",
                    "register",
                    "remainder",
                    "remquo",
                    "rhypot",
                    "rint",
                    "rnorm",
                    "rotate",
                    "round",
                    "rsqrt",
                    "select",
                    "shuffle",
                    "sign",
                    "signed",
                    "sin",
                    "sincos",
                    "sinh",
                    "sizeof",
                    "smoothstep",
                    "sqrt",
                    "step",
                    "struct",
                    "tan",
                    "tanh",
                    "tgamma",
                    "trunc",
                    "typedef",
                    "union",
                    "unsigned",
                    "y0",
                    "y1",
                    "yn");

    @Test
    void areNotThoseOfOtherFunctions() throws IOException {
        var names = kernels();

        assertThat(names).contains("attend", "embed", "gateUp", "normalise", "queryKeyValue");
        assertThat(names).doesNotContainAnyElementsOf(TAKEN);
    }

    private static List<String> kernels() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            var sources = files.filter(file -> file.toString().endsWith(".java")).toList();
            var text = new StringBuilder();
            for (var source : sources) {
                text.append(Files.readString(source));
            }
            return KERNEL.matcher(text).results().map((MatchResult each) -> each.group(1)).toList();
        }
    }
}
