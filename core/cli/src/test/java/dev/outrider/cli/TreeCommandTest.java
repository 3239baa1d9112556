package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.TreeFile;
import dev.outrider.spi.draft.TreePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeCommandTest {
    private static final String CONFIG = Shipped.config("tree-shapes.yaml");

    @TempDir private Path folder;

    @Test
    void drawsATreeWithItsProbabilities() throws IOException {
        var file =
                write(
                        """
                        version: 1
                        source: by hand
                        tree: {paths: [[0], [1], [0, 0], [0, 2]]}
                        measured:
                          rule: sample-and-match
                          temperature: 1
                          acceptance: [0.5, 0.25, 0.125]
                          nodesVisited: 1000
                          tokensPerRound: 2.0625
                          speedup: 1.5
                        """);

        assertThat(Run.of("tree", "show", file).out())
                .isEqualTo(
                        """
                        by hand
                        children are the most probable guesses, counted from the best
                        4 nodes, depth 2, by depth 2 / 2; 3 leaves
                        acceptance by rank with rule sample-and-match at temperature 1.0, over 1000 nodes: 0.500  0.250  0.125
                        expected: 2.06 tokens a round, 1.50x plain decoding

                        root  1.000
                        ├─ 0  0.500
                        │  ├─ 0  0.250
                        │  └─ 2  0.063
                        └─ 1  0.250
                        """);
    }

    @Test
    void drawsEveryPlanThatHasAShape() throws IOException {
        assertThat(shown("{sampledPaths: {paths: [[0], [1]], withReplacement: true}}"))
                .contains("children are independent draws\n2 nodes, depth 1, by depth 2; 2 leaves")
                .endsWith("\nroot\n├─ 0\n└─ 1\n");
        assertThat(shown("{sampledWithoutReplacement: {widths: [2, 1]}}"))
                .contains("children are distinct draws, in draw order\n4 nodes, depth 2")
                .endsWith("\nroot\n├─ 0\n│  └─ 0\n└─ 1\n   └─ 0\n");
        assertThat(shown("3")).endsWith("\nroot\n└─ 0\n   └─ 0\n      └─ 0\n");
        assertThat(shown("{topK: 2, depth: 3, totalNodes: 5}"))
                .endsWith("at most 5 nodes, depth 3; its shape depends on the text\n");
    }

    @Test
    void saysWhereATreeFileIsWrong() throws IOException {
        var file = write("version: 1\nsource: x\ntree: {paths: [[0], [1, 0]]}\n");

        var run = Run.of("tree", "show", file);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains(":3:1: tree: rank path [1, 0] has no parent path\n")
                .startsWith("CONFIG_INVALID: ");
    }

    @Test
    @Tag("nightly")
    void findsATreeThatConfigurationsCanName() throws IOException {
        var out = folder.resolve("found.yaml");

        var run =
                Run.of(
                        "tree",
                        "optimise",
                        "--config",
                        CONFIG,
                        "--variant",
                        "tree 2-2-1",
                        "--out",
                        out.toString(),
                        "--ranks=2",
                        "--nodes=3",
                        "--depth=2",
                        "--shape=none",
                        "--set=maxTokens=8",
                        "--set=repetitions=2",
                        "--set=prompts.limit=4",
                        "--set=prompts.kinds=[story, code]");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsSubsequence(
                        "Acceptance by rank, rule greedy, ",
                        "root ",
                        "Drafting costs ",
                        "optimised for 'tree 2-2-1' of tree-shapes with rule greedy at temperature 0.0, seed 0, on ",
                        "Written to " + out,
                        "\nplain ",
                        "\ntree 2-2-1 ",
                        "\noptimised tree ",
                        "2 of 2 prompts",
                        "tokens decided a round");
        var file =
                new ConfigLoader(ComponentRegistry.empty(), Path.of(""))
                        .load(out, TreeFile.class, List.of())
                        .config();
        assertThat(file.tree())
                .isInstanceOfSatisfying(
                        TreePlan.RankPaths.class,
                        plan -> assertThat(plan.maxNodes()).isBetween(1, 3));
        var named =
                Run.of(
                        "generate",
                        "--config",
                        CONFIG,
                        "--variant",
                        "tree 2-2-1",
                        "--prompt",
                        "The",
                        "--max-tokens",
                        "4",
                        "--shape=none",
                        "--set=variants[2].drafter.tree={file: " + out + "}");
        assertThat(named.exitCode()).as(named.err()).isEqualTo(ExitCode.OK);
    }

    @Test
    void refusesWhatCannotBeSearched() {
        var out = folder.resolve("none.yaml").toString();

        var noVariant = Run.of("tree", "optimise", "--config", CONFIG, "--out", out);
        var tooMany =
                Run.of(
                        "tree",
                        "optimise",
                        "--config",
                        CONFIG,
                        "--out",
                        out,
                        "--variant=dynamic",
                        "--nodes=9999");

        assertThat(noVariant.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(noVariant.err())
                .startsWith(
                        "USAGE: --variant is '', expected one of chain of 6, wide 3-1-1, tree 2-2-1, dynamic\n");
        assertThat(tooMany.err()).startsWith("USAGE: maxNodes 9999 must be between 1 and 512\n");
        assertThat(Run.of("tree").err()).startsWith("USAGE: Missing required subcommand\n");
        assertThat(Path.of(out)).doesNotExist();
    }

    @Test
    void anInterruptLeavesNoFile() {
        var out = folder.resolve("none.yaml");
        var interruption = new Interruption();
        interruption.request();

        var run =
                Run.with(
                        "",
                        interruption,
                        "tree",
                        "optimise",
                        "--config",
                        CONFIG,
                        "--variant=dynamic",
                        "--shape=none",
                        "--out",
                        out.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err())
                .isEqualTo("Interrupted; a tree needs every measurement, and none is written.\n");
        assertThat(out).doesNotExist();
    }

    private String shown(String tree) throws IOException {
        return Run.of("tree", "show", write("version: 1\nsource: x\ntree: " + tree + "\n")).out();
    }

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("tree.yaml"), text).toString();
    }
}
