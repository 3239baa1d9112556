package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.Experts;
import java.util.List;
import java.util.Optional;

/// The experts of a layer. Rows are grouped by expert, so that a pass reads an expert's weights once, and not at all if no row wakes
/// it. A row's results are summed in the order of its own choice, so its bits do not depend on the other rows.
///
/// @param form    of the stack
/// @param router  scores experts
/// @param experts all of them
/// @param shared  what every row wakes
/// @see "Jiang et al. 2024 (Mixtral), section 2.1"
record Mixture(
        BlockForm form, Linear router, List<FeedForward> experts, Optional<SharedExpert> shared) {
    /// Computes for all rows of a pass, from the workspace's input into its projected rows.
    void apply(int rows, Workspace workspace) {
        var config = form.feedForward().experts().orElseThrow();
        var routing = workspace.routing;
        router.apply(workspace.input, rows, workspace.routed, workspace);
        routing.choose(config, workspace.routed, rows);
        workspace.made.shape(
                Math.multiplyExact(rows, config.chosen()),
                experts.getFirst().down().matrix().stride());
        for (int expert = 0; expert < experts.size(); expert++) {
            int count = routing.rowsOf(expert);
            if (count > 0) {
                apply(expert, count, config, workspace);
            }
        }
        sum(rows, config, workspace);
    }

    /// Has an expert compute for the rows that chose it.
    private void apply(int expert, int count, Experts config, Workspace workspace) {
        var routing = workspace.routing;
        var projected = workspace.projected;
        var made = workspace.made;
        var picked = workspace.picked;
        picked.pick(workspace.input, count);
        for (int index = 0; index < count; index++) {
            picked.pick(index, workspace.input, routing.choice(expert, index) / config.chosen());
        }
        experts.get(expert).apply(picked, picked, count, form, workspace);
        int width = router.matrix().columns();
        for (int index = 0; index < count; index++) {
            int choice = routing.choice(expert, index);
            System.arraycopy(
                    projected.numbers(),
                    projected.at(index),
                    made.numbers(),
                    made.at(choice),
                    width);
            VectorMath.scale(made.numbers(), made.at(choice), width, routing.weight(choice));
        }
    }

    private void sum(int rows, Experts config, Workspace workspace) {
        var projected = workspace.projected;
        var made = workspace.made;
        int width = router.matrix().columns();
        shared.ifPresentOrElse(
                each -> each.apply(rows, form, workspace),
                () -> projected.shape(TiledRows.padded(rows), made.stride()));
        for (int row = 0; row < rows; row++) {
            int first = row * config.chosen();
            if (shared.isEmpty()) {
                System.arraycopy(
                        made.numbers(),
                        made.at(first),
                        projected.numbers(),
                        projected.at(row),
                        width);
            }
            for (int each = shared.isPresent() ? 0 : 1; each < config.chosen(); each++) {
                VectorMath.add(
                        projected.numbers(),
                        projected.at(row),
                        made.numbers(),
                        made.at(first + each),
                        width);
            }
        }
    }
}
