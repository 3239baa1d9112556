package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The guide shows pieces of the examples; the examples are compiled and run. `DocumentedCommandsTest` reads the guide's commands,
/// and `.ci/examples` runs the same commands.
class PluginGuideTest {
    private static final Pattern BLOCK =
            Pattern.compile("```(java|xml|yaml)\\n(.*?)```", Pattern.DOTALL);

    private static final List<String> EXAMPLES =
            List.of("third-party-drafter", "third-party-acceptance-rule", "third-party-retrieval");

    static List<String> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(ROOT.resolve("docs/guide/plugin-guide.md")))
                .results()
                .map(block -> block.group(2))
                .toList();
    }

    @Test
    void thereIsSomethingToSee() throws IOException {
        assertThat(blocks()).hasSizeGreaterThan(6);
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void everyBlockIsAPieceOfAnExample(String block) throws IOException {
        var texts = new ArrayList<String>();
        for (var example : EXAMPLES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve("examples").resolve(example))) {
                for (var file : files.filter(PluginGuideTest::isShown).toList()) {
                    texts.add(unindented(Files.readString(file)));
                }
            }
        }

        assertThat(texts).anySatisfy(text -> assertThat(text).contains(unindented(block)));
    }

    private static boolean isShown(Path file) {
        var name = file.toString();
        return !name.contains("/target/")
                && Files.isRegularFile(file)
                && Stream.of(".java", ".xml", ".yaml").anyMatch(name::endsWith);
    }

    private static String unindented(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
