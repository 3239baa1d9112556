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
        var bom = Files.readString(ROOT.resolve("bom/pom.xml"));

        assertThat(bom)
                .contains("<version>%s</version>".formatted(BuildInfo.version()))
                .doesNotContain("<parent>");
    }

    private static List<String> drafters() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.startsWith("drafter-"))
                    .toList();
        }
    }

    @Test
    void namesModulesThatBringSourcesAndJavadoc() throws IOException {
        var artifacts =
                Pattern.compile("<artifactId>outrider-([\\w-]+)</artifactId><version>")
                        .matcher(Files.readString(ROOT.resolve("bom/pom.xml")))
                        .results()
                        .map(match -> match.group(1))
                        .toList();

        assertThat(artifacts)
                .startsWith("spi", "chat", "nn", "drafting", "training", "engine", "testkit");
        assertThat(artifacts).containsAll(drafters());
        for (var artifact : artifacts) {
            Path core = ROOT.resolve("core").resolve(artifact);
            var module = Files.isDirectory(core) ? core : ROOT.resolve(artifact);
            assertThat(module.resolve("pom.xml"))
                    .content()
                    .contains("maven-source-plugin", "maven-javadoc-plugin");
        }
    }
}
