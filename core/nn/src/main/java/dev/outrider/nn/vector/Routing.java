package dev.outrider.nn.vector;

import dev.outrider.nn.network.Experts;
import java.util.Arrays;
import java.util.OptionalDouble;

/// Which experts the rows of a pass wake. A row has as many *choices* as it wakes experts, in the order of their scores; of equal scores
/// the lower number comes first. Reused from layer to layer; confined to the pass.
final class Routing {
    private int[] experts = new int[0];
    private float[] weights = new float[0];
    private int[] grouped = new int[0];
    private int[] ends = new int[0];
    private boolean[] taken = new boolean[0];
    private int choices;
    private int woken;
    private int layers;

    /// Begins a pass.
    void begin() {
        woken = 0;
        layers = 0;
    }

    /// Different experts that rows of the pass have woken, the mean over the layers so far.
    OptionalDouble activeExperts() {
        return layers == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) woken / layers);
    }

    /// Chooses for the rows of a layer.
    ///
    /// @param scores a score an expert
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

    /// The softmax over those chosen, or over all.
    private void weigh(Experts config, float[] scores, int at, int first) {
        double most = scores[at + experts[first]];
        double sum = 0;
        int terms = config.normalised() ? config.chosen() : config.count();
        for (int term = 0; term < terms; term++) {
            int expert = config.normalised() ? experts[first + term] : term;
            sum += StrictMath.exp(scores[at + expert] - most);
        }
        for (int choice = first; choice < first + config.chosen(); choice++) {
            weights[choice] = (float) (StrictMath.exp(scores[at + experts[choice]] - most) / sum);
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
            woken += ends[expert + 1] > 0 ? 1 : 0;
            ends[expert + 1] += ends[expert];
        }
        for (int choice = 0; choice < choices; choice++) {
            grouped[ends[experts[choice]]++] = choice;
        }
    }

    /// How many rows chose an expert.
    int rowsOf(int expert) {
        return ends[expert] - begin(expert);
    }

    /// One of the choices of an expert.
    ///
    /// @param index which of them
    int choice(int expert, int index) {
        return grouped[begin(expert) + index];
    }

    /// What the expert's result is multiplied by.
    float weight(int choice) {
        return weights[choice];
    }

    private int begin(int expert) {
        return expert == 0 ? 0 : ends[expert - 1];
    }
}
