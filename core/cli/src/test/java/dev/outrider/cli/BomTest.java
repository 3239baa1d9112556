package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BomTest {
    @Test
    void hasTheVersionOfEverythingElseAndNoParent() throws IOException {
        var bom = Files.readString(ROOT.resolve("core/bom/pom.xml"));

        assertThat(bom)
                .contains("<version>%s</version>".formatted(CommandContext.version()))
                .doesNotContain("<parent>");
    }

    private static List<String> drafters() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.startsWith("drafter-"))
                    .toList();
        }
    }

    private static List<String> artifacts() throws IOException {
        return matches(
                Files.readString(ROOT.resolve("core/bom/pom.xml")),
                "<artifactId>outrider-([\\w-]+)</artifactId><version>");
    }

    private static List<String> matches(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static String pom(String artifact) throws IOException {
        Path core = ROOT.resolve("core").resolve(artifact);
        var module = Files.isDirectory(core) ? core : ROOT.resolve(artifact);
        return Files.readString(module.resolve("pom.xml"));
    }

    @Test
    void namesModulesThatBringSourcesAndJavadoc() throws IOException {
        assertThat(artifacts())
                .contains("embedding", "spi", "engine", "testkit")
                .containsAll(drafters())
                .doesNotHaveDuplicates();
        for (var artifact : artifacts()) {
            assertThat(pom(artifact)).contains("maven-source-plugin", "maven-javadoc-plugin");
        }
    }

    /// Otherwise a program could ask for a dependency without a version, and this one would bring in another version.
    @Test
    void namesWhateverItsModulesDependOn() throws IOException {
        for (var artifact : artifacts()) {
            var dependencies =
                    matches(
                            pom(artifact).replaceAll("<dependency>.*<scope>test</scope>.*", ""),
                            "<dependency><groupId>dev\\.outrider</groupId><artifactId>outrider-([\\w-]+)<");
            assertThat(artifacts()).as(artifact).containsAll(dependencies);
        }
    }

    /// Their modules leave them to this one in a whole build.
    @Test
    void theTestsOfEveryDrafterRun() throws IOException {
        assertThat(
                        matches(
                                Files.readString(ROOT.resolve("tools/drafter-tests/pom.xml")),
                                "<artifactId>outrider-([\\w-]+)</artifactId><version>.*<type>test-jar<"))
                .containsExactlyInAnyOrderElementsOf(drafters());
        var root = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(matches(root, "projectMap\\(dev.outrider:outrider-drafter-tests:(.+?)\\)"))
                .containsExactly(
                        matches(root, "<artifactId>outrider</artifactId>\\s*<version>(.+?)<")
                                .getFirst());
    }
}
