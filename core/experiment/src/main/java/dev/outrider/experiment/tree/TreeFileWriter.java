package dev.outrider.experiment.tree;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.outrider.config.TreeFile;
import dev.outrider.spi.draft.TreePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Writes tree files: YAML that configurations name and people can read.
public final class TreeFileWriter {
    private static final int WIDTH = 100;
    private static final String INDENT = "    ";

    private TreeFileWriter() {}

    /// The text of a file with explicit paths.
    ///
    /// @throws IllegalArgumentException for a tree without explicit paths
    public static String yaml(TreeFile file) {
        var lines = new ArrayList<String>();
        lines.add("version: " + file.version());
        lines.add("source: " + quoted(file.source()));
        lines.add("tree:");
        switch (file.tree()) {
            case TreePlan.RankPaths(var paths) -> paths(paths, lines);
            case TreePlan.SampledPaths(var paths, boolean withReplacement) -> {
                lines.add("  withReplacement: " + withReplacement);
                paths(paths, lines);
            }
            case TreePlan.Chain _,
                    TreePlan.LevelWidths _,
                    TreePlan.Dynamic _,
                    TreePlan.Coupled _,
                    TreePlan.SampledWithReplacement _,
                    TreePlan.SampledWithoutReplacement _ ->
                    throw new IllegalArgumentException("%s has no paths".formatted(file.tree()));
        }
        file.measured().ifPresent(measured -> measured(measured, lines));
        return String.join("\n", lines) + "\n";
    }

    private static void paths(List<List<Integer>> paths, List<String> lines) {
        lines.add("  paths: [");
        var line = new StringBuilder(INDENT);
        for (int i = 0; i < paths.size(); i++) {
            boolean deeper = i > 0 && paths.get(i).size() > paths.get(i - 1).size();
            String next = paths.get(i) + (i + 1 < paths.size() ? ", " : "");
            if (deeper || line.length() + next.strip().length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(INDENT);
            }
            line.append(next);
        }
        lines.add(line.toString().stripTrailing());
        lines.add("  ]");
    }

    private static void measured(TreeFile.Measured measured, List<String> lines) {
        lines.add("measured:");
        lines.add("  rule: " + quoted(measured.rule()));
        lines.add("  temperature: " + measured.temperature());
        lines.add(
                "  acceptance: "
                        + measured.acceptance().stream()
                                .map(rate -> number("%.5f", rate))
                                .collect(Collectors.joining(", ", "[", "]")));
        lines.add("  nodesVisited: " + measured.nodesVisited());
        lines.add("  tokensPerRound: " + number("%.4f", measured.tokensPerRound()));
        lines.add("  speedup: " + number("%.4f", measured.speedup()));
    }

    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
