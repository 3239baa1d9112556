package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that a project written by `plugins new` compiles, loads and passes every check under its new name. `.ci/examples` builds
/// it with Maven.
class PluginsNewCommandTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void writesADrafterThatPassesTheChecks() throws IOException {
        Path project = folder.resolve("word-echo");

        var run = Run.of("plugins", "new", "word-echo", "--out", project.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("mvn -f " + project + "/pom.xml verify");
        assertThat(files(project))
                .contains(
                        "pom.xml",
                        "README.md",
                        "compare.yaml",
                        "src/main/java/com/example/wordecho/WordEchoSession.java",
                        "src/test/java/com/example/wordecho/WordEchoConformanceTest.java");
        compile(project, folder.resolve("plugins/word-echo"));
        var check = Run.of("plugins", "check", folder.resolve("plugins/word-echo").toString());
        assertThat(check.out()).contains("drafter word-echo\n").doesNotContain("BROKEN");
        assertThat(check.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void leavesNoTraceOfTheExample() throws IOException {
        Path project = folder.resolve("word-echo");

        Run.of("plugins", "new", "word-echo", "--out", project.toString());

        for (var file : files(project)) {
            assertThat(file.toLowerCase(Locale.ROOT)).doesNotContain("fuzzy");
            assertThat(project.resolve(file))
                    .content()
                    .doesNotContain("FuzzyLookup", "fuzzy-lookup", "fuzzylookup", "examples/");
        }
    }

    @Test
    void theComparisonOfANewDrafterFindsModelsAndPrompts() throws IOException {
        Path project = folder.resolve("word-echo");
        Run.of("plugins", "new", "word-echo", "--out", project.toString());

        var yaml = Files.readString(project.resolve("compare.yaml"));
        var model = yaml.replaceFirst("(?s).*path: ([^}]*)}.*", "$1");

        assertThat(project.resolve(model)).isDirectory();
    }

    @Test
    void writesARuleInAnyPackage() throws IOException {
        Path project = folder.resolve("r");

        var run =
                Run.of(
                        "plugins",
                        "new",
                        "cautious",
                        "--kind=rule",
                        "--package=org.acme.rules",
                        "--out=" + project);

        assertThat(run.err()).isEmpty();
        assertThat(files(project)).contains("src/main/java/org/acme/rules/CautiousRule.java");
        compile(project, folder.resolve("plugins/cautious"));
        assertThat(Run.withPlugins(folder.resolve("plugins"), "plugins", "list").out())
                .contains("rule        cautious             Accepts guesses less often");
    }

    @Test
    void refusesNamesThatWouldNotWork() {
        assertThat(Run.of("plugins", "new", "MyDrafter").err())
                .startsWith(
                        "USAGE: 'MyDrafter' is not lower-case words joined by hyphens, such as my-drafter");
        assertThat(Run.of("plugins", "new", "small-model").err())
                .startsWith("USAGE: 'small-model' is a name that is taken; choose another");
        assertThat(Run.of("plugins", "new", "mine", "--package=com.1").err())
                .startsWith("USAGE: 'com.1' is not a Java package");
        assertThat(Run.of("plugins", "new", "switch").err())
                .startsWith("USAGE: 'com.example.switch' is not a Java package, for a part of it");
        assertThat(Run.of("plugins", "new", "draft").err())
                .startsWith(
                        "USAGE: 'draft' would give a class the name of Outrider's own DraftSession; choose another");
    }

    @Test
    void refusesToWriteOverSomething() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "mine");

        var run = Run.of("plugins", "new", "word-echo", "--out", folder.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("is there already and not empty");
        assertThat(folder.resolve("pom.xml")).doesNotExist();
    }

    private static void compile(Path project, Path plugin) throws IOException {
        var jar = new PluginJar();
        try (var sources = Files.walk(project.resolve("src/main/java"))) {
            for (var source : sources.filter(Files::isRegularFile).toList()) {
                jar.source(Files.readString(source));
            }
        }
        Path services = project.resolve("src/main/resources/META-INF/services");
        try (var files = Files.list(services)) {
            for (var file : files.toList()) {
                jar.file("META-INF/services/" + file.getFileName(), Files.readString(file));
            }
        }
        jar.write(plugin.resolve("plugin.jar"));
    }

    private static List<String> files(Path project) throws IOException {
        try (Stream<Path> files = Files.walk(project)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> project.relativize(file).toString())
                    .toList();
        }
    }
}
