package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trees in separate files.
class ValuesInFilesTest {
    private static final String GOOD =
            """
            version: 1
            source: by hand
            tree: {paths: [[0], [0, 0], [1]]}
            """;

    @TempDir private Path directory = Path.of("");

    /// A configuration with a tree.
    record Planned(TreePlan tree, TreePlan other) {}

    @BeforeEach
    void makeFolder() throws IOException {
        Files.createDirectories(directory.resolve("trees"));
    }

    @Test
    void aFileMeansTheValueInIt() throws IOException {
        write("good.yaml", GOOD);

        var loaded = parse("tree: {file: trees/good.yaml}\nother: 4\n");

        assertThat(loaded.config().tree())
                .isEqualTo(new TreePlan.RankPaths(List.of(List.of(0), List.of(0, 0), List.of(1))));
        assertThat(loaded.config().other()).isEqualTo(new TreePlan.Chain(4));
    }

    @Test
    void theEffectiveConfigurationHasTheValueItself() throws IOException {
        write("good.yaml", GOOD);
        var inFile = parse("tree: {file: trees/good.yaml}\nother: 4\n");
        var inline = parse("tree: {paths: [[0], [0, 0], [1]]}\nother: 4\n");

        assertThat(inFile.effective().configHash()).isEqualTo(inline.effective().configHash());
        assertThat(inFile.effective().toYaml()).contains("good.yaml:3");
        write("good.yaml", GOOD.replace("[1]", "[2]"));
        assertThat(parse("tree: {file: trees/good.yaml}\nother: 4\n").effective().configHash())
                .isNotEqualTo(inline.effective().configHash());
    }

    @Test
    void aFileGivenOnTheCommandLineIsRelativeToTheWorkingDirectory() throws IOException {
        write("good.yaml", GOOD);

        var loaded =
                new ConfigLoader(ComponentRegistry.empty(), directory.resolve("trees"))
                        .parse(
                                "tree: 1\nother: 2\n",
                                "demo.yaml",
                                Path.of("/nowhere"),
                                Planned.class,
                                List.of("tree={file: good.yaml}"));

        assertThat(loaded.config().tree().maxNodes()).isEqualTo(3);
    }

    @Test
    void problemsOfFilesAreToldWithTheOthersEachAtItsPlace() throws IOException {
        write("bad.yaml", "version: 1\nsauce: x\ntree: {paths: [[0], [x]]}\n");

        assertProblems(
                "tree: {file: trees/bad.yaml}\nother: {file: [1]}\n",
                "demo.yaml has 4 problems:",
                "trees/bad.yaml:1:1: missing key 'source': Where the tree comes from.",
                "trees/bad.yaml:2:1: sauce: unknown key; did you mean 'source'? (valid keys: version, source, tree, measured)",
                "demo.yaml:2:9: other.file: expected a path, got a list",
                "trees/bad.yaml:3:22: tree.paths[1][0]: expected an integer, got x");
    }

    @Test
    void treesThatCannotBeAreRefused() throws IOException {
        refused("paths: [[0], [1, 0, 0]]", "rank path [1, 0, 0] has no parent path");
        refused("paths: [[0], [1], [0]]", "rank path [0] is listed twice");
        refused("paths: [[0], []]", "rank path [] must list ranks >= 0");
        refused("paths: [[0], [-1]]", "rank path [-1] must list ranks >= 0");
        refused("paths: []", "at least one rank path is needed");
        refused("paths: [[70000]]", "rank path [70000] has a rank above 65535");
        refused(
                "paths: "
                        + IntStream.range(0, 4097)
                                .mapToObj(i -> "[" + i + "]")
                                .collect(Collectors.joining(", ", "[", "]")),
                "4097 rank paths are too many, expected at most 4096");
        refused(
                "paths: [[" + "0, ".repeat(256) + "0]]",
                "a rank path has 257 ranks, expected at most 256");
        refused(
                "sampledPaths: {paths: [[0], [2]]}",
                "rank path [2] has no elder sibling [1], and draws are counted without gaps");
    }

    @Test
    void filesThatCannotBeReadAreProblemsOfTheKeyThatNamesThem() throws IOException {
        write("torn.yaml", "tree: {paths: [[0]\n");
        write("again.yaml", GOOD.replaceAll("tree: .*", "tree: {file: good.yaml}"));
        write("old.yaml", GOOD.replace("version: 1", "version: 2"));
        Files.write(directory.resolve("trees/latin.yaml"), new byte[] {(byte) 0xe9});

        assertProblems(
                "tree: {file: trees/none.yaml}\nother: {file: trees/latin.yaml}\n",
                "demo.yaml has 2 problems:",
                "demo.yaml:1:14: tree.file: there is no configuration file 'trees/none.yaml'",
                "demo.yaml:2:15: other.file: trees/latin.yaml is not UTF-8 text");
        assertProblems(
                "tree: {file: trees/again.yaml}\nother: {file: trees/old.yaml}\n",
                "demo.yaml has 2 problems:",
                "trees/old.yaml:1:10: version: version 2 of tree files is unknown, expected 1",
                "trees/again.yaml:3:8: tree.file: a file cannot name another; write the value here");
        assertThatThrownBy(() -> parse("tree: {file: trees/torn.yaml}\nother: 1\n"))
                .hasMessageContaining("trees/torn.yaml:2:1: not YAML: ");
    }

    @Test
    void messagesOfferAFileWhereOneMayStand() {
        assertThatThrownBy(() -> parse("tree: {nonsense: 1}\nother: 1\n"))
                .hasMessageContaining("or {file: PATH}");
        assertThat(KeyDescription.of(Planned.class).getFirst().nested())
                .extracting(KeyDescription::name)
                .contains("file", "rank-paths", "sampled-paths");
    }

    private void refused(String tree, String problem) throws IOException {
        write("bad.yaml", "version: 1\nsource: by hand\ntree:\n  " + tree + "\n");

        assertThatThrownBy(() -> parse("tree: {file: trees/bad.yaml}\nother: 1\n"))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                            assertThat(e.problem())
                                    .startsWith("demo.yaml has 1 problem:\n  trees/bad.yaml:")
                                    .endsWith(": " + problem);
                        });
    }

    private void assertProblems(String yaml, String head, String... lines) {
        assertThatThrownBy(() -> parse(yaml))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e ->
                                assertThat(e.problem())
                                        .startsWith(head)
                                        .isEqualTo(head + "\n  " + String.join("\n  ", lines)));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve("trees").resolve(name), text);
    }

    private Loaded<Planned> parse(String yaml) {
        return new ConfigLoader(ComponentRegistry.empty(), Path.of("/work-dir"))
                .parse(yaml, "demo.yaml", directory, Planned.class, List.of());
    }

    @Test
    void treeFilesHaveAVersionAndRatesThatCanBe() {
        var tree = new TreePlan.Chain(1);

        assertThatThrownBy(() -> new TreeFile(2, "", tree, Optional.empty()))
                .hasMessage("version 2 of tree files is unknown, expected 1");
        assertThat(new TreeFile(1, "", tree, Optional.empty()).tree()).isEqualTo(tree);
        assertThat(new TreeFile.Measured("greedy", 0, List.of(1.0, 0.0), 10, 1.7, 1.2).acceptance())
                .containsExactly(1.0, 0.0);
        assertThatThrownBy(
                        () -> new TreeFile.Measured("greedy", 0, List.of(0.7, -0.1), 10, 1.7, 1.2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new TreeFile.Measured("greedy", 0, List.of(0.7, 0.4), 10, 1.7, 1.2))
                .hasMessageStartingWith(
                        "acceptance [0.7, 0.4] must be 0 or more everywhere and at most 1 in all");
        assertThatThrownBy(
                        () -> new TreeFile.Measured("greedy", 0, List.of(Double.NaN), 10, 1.7, 1.2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
