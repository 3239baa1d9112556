package dev.outrider.experiment.tree;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.outrider.config.TreeFile;
import dev.outrider.experiment.table.Value;
import dev.outrider.spi.draft.TreePlan;
import java.util.List;
import java.util.stream.Collectors;

/// Writes tree files: YAML that configurations name and people can read.
public final class TreeFileWriter {
    private static final int WIDTH = 100;

    private TreeFileWriter() {}

    /// The text of a file with explicit paths.
    ///
    /// @throws IllegalArgumentException for a tree without explicit paths
    public static String yaml(TreeFile file) {
        var text =
                new StringBuilder(
                        "version: %d\nsource: %s\ntree:\n"
                                .formatted(file.version(), quoted(file.source())));
        switch (file.tree()) {
            case TreePlan.RankPaths(var paths) -> text.append(paths(paths));
            case TreePlan.SampledPaths(var paths, boolean withReplacement) ->
                    text.append(
                            "  withReplacement: %s\n%s".formatted(withReplacement, paths(paths)));
            default -> throw new IllegalArgumentException("%s has no paths".formatted(file.tree()));
        }
        file.measured().ifPresent(measured -> text.append(measured(measured)));
        return text.toString();
    }

    /// A line for each depth, wrapped.
    private static String paths(List<List<Integer>> paths) {
        var text = new StringBuilder("  paths: [");
        int width = WIDTH;
        int depth = 0;
        for (var path : paths) {
            String next = path.toString();
            text.append(text.charAt(text.length() - 1) == '[' ? "" : ",");
            if (path.size() > depth || width + next.length() + 2 > WIDTH) {
                text.append("\n   ");
                width = 3;
            }
            text.append(' ').append(next);
            width += next.length() + 2;
            depth = path.size();
        }
        return text.append("\n  ]\n").toString();
    }

    private static String measured(TreeFile.Measured measured) {
        return """
        measured:
          rule: %s
          temperature: %s
          acceptance: %s
          nodesVisited: %d
          tokensPerRound: %s
          speedup: %s
        """
                .formatted(
                        quoted(measured.rule()),
                        measured.temperature(),
                        measured.acceptance().stream()
                                .map(rate -> Value.decimal(rate, 5))
                                .collect(Collectors.joining(", ", "[", "]")),
                        measured.nodesVisited(),
                        Value.decimal(measured.tokensPerRound(), 4),
                        Value.decimal(measured.speedup(), 4));
    }

    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
