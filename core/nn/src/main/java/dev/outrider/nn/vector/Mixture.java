package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.nn.vector.Rows.TiledRows;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The experts of a layer. Rows are grouped by expert, so that a pass reads the weights of an expert once, and only if a row
/// activates it. A row's results are summed in the order of its own choices, so its bits do not depend on the other rows.
///
/// @param form    form of the stack
/// @param router  projection that scores the experts
/// @param experts all experts
/// @param shared  the expert that every row activates
/// @see "Jiang et al. 2024 (Mixtral), section 2.1"
record Mixture(
        BlockForm form, Linear router, List<FeedForward> experts, Optional<SharedExpert> shared) {
    /// Computes the results of all rows of a pass, from the workspace's input into its projected rows.
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

    /// Runs an expert for the rows that chose it.
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
            made.copy(choice, projected, index, width);
            made.scale(choice, width, routing.weight(choice));
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
                projected.copy(row, made, first, width);
            }
            for (int each = shared.isPresent() ? 0 : 1; each < config.chosen(); each++) {
                projected.add(row, made, first + each, width);
            }
        }
    }

    /// The shared expert, which every row activates. A sigmoid scales its output.
    ///
    /// @param expert      the expert
    /// @param openingGate projection to one number per row, whose sigmoid is the expert's factor
    record SharedExpert(FeedForward expert, Linear openingGate) {
        /// Computes the results of all rows of a pass, from the workspace's input into its projected rows.
        void apply(int rows, BlockForm form, Workspace workspace) {
            var opened = workspace.routed;
            openingGate.apply(workspace.input, rows, opened, workspace);
            expert.apply(workspace.input, workspace.picked, rows, form, workspace);
            var projected = workspace.projected;
            int width = openingGate.matrix().columns();
            for (int row = 0; row < rows; row++) {
                double open = 1 / (1 + StrictMath.exp(-opened.numbers()[opened.at(row)]));
                projected.scale(row, width, (float) open);
            }
        }
    }

    /// The choice of experts by the rows of a pass. A row has as many *choices* as it activates experts, in the order of their
    /// scores; if scores are equal, the lower number comes first. Reused from layer to layer; confined to the pass.
    static final class Routing {
        private int[] experts = new int[0];
        private float[] weights = new float[0];
        private int[] grouped = new int[0];
        private int[] ends = new int[0];
        private boolean[] taken = new boolean[0];
        private int choices;
        private int active;
        private int layers;

        /// Begins a pass.
        void begin() {
            active = 0;
            layers = 0;
        }

        /// Returns the number of different experts that rows of the pass activated, the mean over the layers so far.
        OptionalDouble activeExperts() {
            return layers == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((double) active / layers);
        }

        /// Chooses for the rows of a layer.
        ///
        /// @param scores one per expert
        void choose(Experts config, Rows scores, int rows) {
            room(config, rows);
            for (int row = 0; row < rows; row++) {
                choose(config, scores.numbers(), scores.at(row), row * config.chosen());
            }
            group(config.count());
        }

        private void room(Experts config, int rows) {
            choices = Math.multiplyExact(rows, config.chosen());
            if (experts.length < choices) {
                experts = new int[choices];
                weights = new float[choices];
                grouped = new int[choices];
            }
            if (taken.length < config.count()) {
                taken = new boolean[config.count()];
                ends = new int[config.count() + 1];
            }
        }

        private void choose(Experts config, float[] scores, int at, int first) {
            Arrays.fill(taken, false);
            for (int choice = first; choice < first + config.chosen(); choice++) {
                int best = -1;
                for (int expert = 0; expert < config.count(); expert++) {
                    if (!taken[expert] && (best < 0 || scores[at + expert] > scores[at + best])) {
                        best = expert;
                    }
                }
                taken[best] = true;
                experts[choice] = best;
            }
            weigh(config, scores, at, first);
        }

        /// Computes the softmax over the chosen experts, or over all.
        private void weigh(Experts config, float[] scores, int at, int first) {
            double most = scores[at + experts[first]];
            double sum = 0;
            int terms = config.normalised() ? config.chosen() : config.count();
            for (int term = 0; term < terms; term++) {
                int expert = config.normalised() ? experts[first + term] : term;
                sum += StrictMath.exp(scores[at + expert] - most);
            }
            for (int choice = first; choice < first + config.chosen(); choice++) {
                weights[choice] =
                        (float) (StrictMath.exp(scores[at + experts[choice]] - most) / sum);
            }
        }

        /// Sorts the choices by expert and, for one expert, by row.
        private void group(int count) {
            layers++;
            Arrays.fill(ends, 0, count + 1, 0);
            for (int choice = 0; choice < choices; choice++) {
                ends[experts[choice] + 1]++;
            }
            for (int expert = 0; expert < count; expert++) {
                active += ends[expert + 1] > 0 ? 1 : 0;
                ends[expert + 1] += ends[expert];
            }
            for (int choice = 0; choice < choices; choice++) {
                grouped[ends[experts[choice]]++] = choice;
            }
        }

        /// Returns the number of rows that chose an expert.
        int rowsOf(int expert) {
            return ends[expert] - begin(expert);
        }

        /// Returns one of the choices of an expert.
        ///
        /// @param index index of the choice among those of the expert
        int choice(int expert, int index) {
            return grouped[begin(expert) + index];
        }

        /// Returns the factor of the expert's output.
        float weight(int choice) {
            return weights[choice];
        }

        private int begin(int expert) {
            return expert == 0 ? 0 : ends[expert - 1];
        }
    }
}
