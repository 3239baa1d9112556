package dev.outrider.cli;

import dev.outrider.config.TreeFile;
import dev.outrider.drafting.LevelPaths;
import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import dev.outrider.spi.draft.TreePlan;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A tree file as text for people.
final class TreeDrawing {
    private static final int MAX_DRAWN = 4096;

    private final List<List<Integer>> paths;
    private final Optional<PositionalAcceptance> acceptance;
    private final StringBuilder text = new StringBuilder();

    private TreeDrawing(List<List<Integer>> paths, Optional<PositionalAcceptance> acceptance) {
        this.paths = paths;
        this.acceptance = acceptance;
    }

    static String of(TreeFile file) {
        var head = file.source() + "\n" + children(file.tree()) + "\n";
        var paths = paths(file.tree());
        if (paths.isEmpty()) {
            return head
                    + "at most %d nodes, depth %d; its shape depends on the text\n"
                            .formatted(file.tree().maxNodes(), file.tree().maxDepth());
        }
        var measured = file.measured().filter(each -> !each.acceptance().isEmpty());
        var drawing =
                new TreeDrawing(
                        paths.get(),
                        measured.map(each -> new PositionalAcceptance(each.acceptance())));
        drawing.text.append(head).append(counts(paths.get())).append('\n');
        drawing.text.append(measured.map(TreeDrawing::numbers).orElse(""));
        drawing.text.append("\nroot").append(drawing.probability(List.of())).append('\n');
        drawing.draw(List.of(), "");
        return drawing.text.toString();
    }

    /// The rank paths of a plan with a fixed shape that is not too large to draw.
    private static Optional<List<List<Integer>>> paths(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Chain(int length) -> ofWidths(Collections.nCopies(length, 1), plan);
            case TreePlan.LevelWidths(var widths) -> ofWidths(widths, plan);
            case TreePlan.SampledWithReplacement(var widths) -> ofWidths(widths, plan);
            case TreePlan.SampledWithoutReplacement(var widths) -> ofWidths(widths, plan);
            case TreePlan.Coupled(var widths) -> ofWidths(widths, plan);
            case TreePlan.RankPaths(var paths) -> Optional.of(paths);
            case TreePlan.SampledPaths(var paths, _) -> Optional.of(paths);
            case TreePlan.Dynamic _ -> Optional.empty();
        };
    }

    private static Optional<List<List<Integer>>> ofWidths(List<Integer> widths, TreePlan plan) {
        if (plan.maxNodes() > MAX_DRAWN) {
            return Optional.empty();
        }
        return Optional.of(LevelPaths.of(widths));
    }

    private static String children(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Chain _ -> "a chain: one child each, the best guess or a draw";
            case TreePlan.LevelWidths _, TreePlan.RankPaths _ ->
                    "children are the most probable guesses, counted from the best";
            case TreePlan.Dynamic _ ->
                    "the most probable paths of a beam, chosen again in every round";
            case TreePlan.Coupled _ ->
                    "children are the first of a race whose noise the rule shares";
            case TreePlan.SampledWithReplacement _ -> "children are independent draws";
            case TreePlan.SampledWithoutReplacement _ ->
                    "children are distinct draws, in draw order";
            case TreePlan.SampledPaths(var _, boolean withReplacement) ->
                    withReplacement
                            ? "children are independent draws"
                            : "children are distinct draws, in draw order";
        };
    }

    private static String counts(List<List<Integer>> paths) {
        int depth = paths.stream().mapToInt(List::size).max().orElse(0);
        var parents =
                paths.stream()
                        .map(path -> path.subList(0, path.size() - 1))
                        .collect(Collectors.toSet());
        long leaves = paths.stream().filter(path -> !parents.contains(path)).count();
        String byDepth =
                IntStream.rangeClosed(1, depth)
                        .mapToObj(level ->
                                Long.toString(
                                        paths.stream()
                                                .filter(path -> path.size() == level)
                                                .count()))
                        .collect(Collectors.joining(" / "));
        return "%d nodes, depth %d, by depth %s; %d leaves"
                .formatted(paths.size(), depth, byDepth, leaves);
    }

    private static String numbers(TreeFile.Measured measured) {
        var rates =
                measured.acceptance().stream()
                        .map(rate -> Console.format("%.3f", rate))
                        .collect(Collectors.joining("  "));
        return Console.format(
                "acceptance by rank with rule %s at temperature %s, over %d nodes: %s\nexpected: %.2f tokens a round, %.2fx plain decoding\n",
                measured.rule(),
                measured.temperature(),
                measured.nodesVisited(),
                rates,
                measured.tokensPerRound(),
                measured.speedup());
    }

    private void draw(List<Integer> parent, String indent) {
        var children =
                paths.stream()
                        .filter(path -> path.size() == parent.size() + 1)
                        .filter(path -> path.subList(0, parent.size()).equals(parent))
                        .sorted(Comparator.comparing(List::getLast))
                        .toList();
        for (int i = 0; i < children.size(); i++) {
            boolean last = i + 1 == children.size();
            var child = children.get(i);
            text.append(indent + (last ? "└─ " : "├─ ") + child.getLast() + probability(child))
                    .append("\n");
            draw(child, indent + (last ? "   " : "│  "));
        }
    }

    private String probability(List<Integer> path) {
        return acceptance.map(each -> Console.format("  %.3f", each.ofPath(path))).orElse("");
    }
}
