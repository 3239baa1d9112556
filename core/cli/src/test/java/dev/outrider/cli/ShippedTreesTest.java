package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.TreeFile;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.StopRule;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests the trees in `configs/trees`, and the draft of such a tree as the target sees it.
class ShippedTreesTest {
    private static final Path TREES =
            Path.of(System.getProperty("outrider.root", "../.."), "configs", "trees");
    private static final int RANKS = 10;
    private static final int ROOT = 11;

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(TREES)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void isATreeFileThatSaysWhereItComesFrom(Path file) {
        assertThat(load(file).source()).isNotBlank();
        assertThat(load(file).tree().maxNodes()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "mc_sim_7b_63, 42, 10/28/23/2",
        "vicuna_7b_stage1, 44, 10/32/20/1",
        "vicuna_7b_stage1_ablation, 42, 10/21/25/7",
        "vicuna_7b_stage2, 42, 10/23/23/7",
        "vicuna_13b_stage1, 44, 10/29/23/1",
        "vicuna_13b_stage2, 42, 10/19/25/9",
        "vicuna_33b_stage1, 46, 10/34/19",
        "vicuna_33b_stage2, 43, 10/24/24/5",
        "zephyr_stage2, 44, 10/27/23/3"
    })
    void medusasPublishedTreesHaveTheirNodesAndLeaves(String name, int leaves, String depths) {
        var tree = load(TREES.resolve(name + ".yaml")).tree();
        var draft = draft(tree);

        assertThat(draft.size()).isEqualTo(1 + 63);
        assertThat(
                        IntStream.range(0, draft.size())
                                .filter(node -> draft.childCount(node) == 0)
                                .count())
                .isEqualTo(leaves);
        assertThat(
                        IntStream.rangeClosed(1, draft.maxDepth())
                                .mapToObj(depth -> countAt(draft, depth))
                                .collect(Collectors.joining("/")))
                .isEqualTo(depths);
    }

    @ParameterizedTest
    @MethodSource("files")
    void maskPositionsAndPathsAreThoseOfThePathSet(Path file) {
        if (load(file).tree() instanceof TreePlan.RankPaths(var paths)) {
            var draft = draft(load(file).tree());

            // Every token is its own rank here, so that a node's tokens are its rank path.
            var pathOf =
                    IntStream.range(0, draft.size()).mapToObj(node -> tokens(draft, node)).toList();
            assertThat(new HashSet<>(pathOf)).isEqualTo(withRoot(paths)).hasSameSizeAs(pathOf);
            for (int node = 0; node < draft.size(); node++) {
                assertThat(draft.depth(node)).isEqualTo(pathOf.get(node).size());
                for (int other = 0; other < draft.size(); other++) {
                    assertThat(draft.isAncestor(other, node))
                            .isEqualTo(isPrefix(pathOf.get(other), pathOf.get(node)));
                }
            }
            assertThat(leavesOf(paths))
                    .isEqualTo(
                            IntStream.range(0, draft.size())
                                    .filter(node -> draft.childCount(node) == 0)
                                    .mapToObj(pathOf::get)
                                    .collect(Collectors.toSet()));
        }
    }

    @Test
    void mc63UsesRanksOfFourHeads() {
        var plan = (TreePlan.RankPaths) load(TREES.resolve("mc_sim_7b_63.yaml")).tree();

        assertThat(
                        IntStream.range(0, 4)
                                .mapToObj(depth ->
                                        plan.paths().stream()
                                                .filter(path -> path.size() > depth)
                                                .mapToInt(path -> path.get(depth))
                                                .max()
                                                .orElseThrow()))
                .containsExactly(9, 9, 9, 1);
    }

    private static TokenTree draft(TreePlan plan) {
        var expander =
                new TreeExpander(
                        plan,
                        SamplingPolicy.argmax(),
                        new StopRule.Never(),
                        new DraftVocabulary(RANKS, ROOT + 1));
        return expander.expand(
                        new Ranks(),
                        TokenHistory.of(ROOT),
                        new DraftBudget(plan.maxNodes(), plan.maxDepth()),
                        new FirstToken())
                .draft()
                .tree();
    }

    /// Gives the same logits after any path: token i has rank i.
    private static final class Ranks implements DraftStepper {
        private static final MemorySegment ROW =
                MemorySegment.ofArray(new float[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0});

        @Override
        public LogitRows root() {
            return _ -> ROW;
        }

        @Override
        public LogitRows step(List<StepInput> nodes) {
            return _ -> ROW;
        }
    }

    private static final class FirstToken implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            throw new AssertionError("nothing is judged here");
        }

        @Override
        public int draw(Randomness.Role role, int node, double[] distribution) {
            return IntStream.range(0, distribution.length)
                    .filter(token -> distribution[token] > 0)
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw new AssertionError("nothing is coupled here");
        }

        @Override
        public double uniform(Randomness.Role role, int node) {
            throw new AssertionError("nothing is coupled here");
        }
    }

    private static String countAt(TokenTree draft, int depth) {
        return Long.toString(
                IntStream.range(0, draft.size())
                        .filter(node -> draft.depth(node) == depth)
                        .count());
    }

    private static List<Integer> tokens(TokenTree draft, int node) {
        return IntStream.of(draft.path(node)).skip(1).map(draft::token).boxed().toList();
    }

    private static Set<List<Integer>> withRoot(List<List<Integer>> paths) {
        var all = new HashSet<>(paths);
        all.add(List.of());
        return all;
    }

    private static Set<List<Integer>> leavesOf(List<List<Integer>> paths) {
        return paths.stream()
                .filter(path ->
                        paths.stream()
                                .noneMatch(other ->
                                        other.size() == path.size() + 1 && isPrefix(path, other)))
                .collect(Collectors.toSet());
    }

    private static boolean isPrefix(List<Integer> path, List<Integer> of) {
        return path.size() <= of.size() && of.subList(0, path.size()).equals(path);
    }

    private static TreeFile load(Path file) {
        return new ConfigLoader(ComponentRegistry.empty(), Path.of(""))
                .load(file, TreeFile.class, List.of())
                .config();
    }
}
