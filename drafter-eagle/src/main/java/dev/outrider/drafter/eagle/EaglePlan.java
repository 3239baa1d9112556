package dev.outrider.drafter.eagle;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.Divergence;
import java.util.ArrayList;
import java.util.List;

/// The head to train, and its loss.
public record EaglePlan(
        @Doc("1 for EAGLE-1 (also used by EAGLE-2), 3 for EAGLE-3.") int generation,
        @Doc("EAGLE-1: weight of the regression to the target's next feature.") @Default("1")
                double regressionWeight,
        @Doc("EAGLE-1: weight of the cross-entropy with the target's distribution.") @Default("0.1")
                double crossEntropyWeight,
        @Doc(
                        "EAGLE-3: the captured states as numbers of layers the target's residual"
                                + " stream has passed. The first may not be 1, which readers of the"
                                + " file would take for another way of counting.")
                @Default("[]")
                List<Integer> capturedLayers,
        @Inline Form form,
        @Doc(
                        "How many guesses in a row are learned, at least 1 (training-time test); EAGLE-1 as published learns one.")
                @Default("4")
                int steps,
        @Doc("Weight of a guess's loss relative to the guess before, in (0, 1].") @Default("0.8")
                double decay,
        @Doc(
                        "How the head's distribution is compared with the target's; crossEntropyWeight is its weight.")
                @Default("forward-kl")
                Divergence divergence) {
    /// The options of EAGLE-3 heads.
    public record Form(
            @Doc(
                            "EAGLE-3: whether every captured state passes a norm of its own before the matrix that joins them (EAGLE-3.1).")
                    @Default("false")
                    boolean fcNorm,
            @Doc(
                            "EAGLE-3: whether a guess reads the state of the guess before as the head does, after the last norm (EAGLE-3.1), and not as it is.")
                    @Default("false")
                    boolean normOutput,
            @Doc(
                            "EAGLE-3: how many tokens can be guessed, those most frequent in the rows that are learnt; 0 for all of the target's.")
                    @Default("0")
                    int draftVocabulary) {
        /// All options off.
        public static final Form PLAIN = new Form(false, false, 0);

        public Form {
            Require.atLeast("draftVocabulary", draftVocabulary, 0);
        }
    }

    public EaglePlan {
        capturedLayers = List.copyOf(capturedLayers);
        Require.that(
                generation == 1 || generation == 3,
                "'generation' must be 1 or 3, got %d",
                generation);
        Require.that(
                regressionWeight >= 0
                        && crossEntropyWeight >= 0
                        && regressionWeight + crossEntropyWeight > 0,
                "'regressionWeight' (%s) and 'crossEntropyWeight' (%s) must be at least 0, not both 0",
                regressionWeight,
                crossEntropyWeight);
        Require.that(
                steps >= 1 && decay > 0 && decay <= 1,
                "'steps' (%d) must be at least 1 and 'decay' (%s) in (0, 1]",
                steps,
                decay);
        boolean third = generation == 3;
        Require.that(
                third || form.equals(Form.PLAIN),
                "'fcNorm', 'normOutput' and 'draftVocabulary' are for EAGLE-3, not for generation %s",
                generation);
        Require.that(
                third == !capturedLayers.isEmpty()
                        && (!third || capturedLayers.getFirst() != 1)
                        && !capturedLayers.stream().anyMatch(layers -> layers < 0),
                "'capturedLayers' %s: EAGLE-3 needs numbers of at least 0 that do not begin with 1, EAGLE-1 none",
                capturedLayers);
    }

    /// Returns the names of the validation measures, in addition to the loss.
    public List<String> measures() {
        var names = new ArrayList<String>();
        if (generation == 1) {
            names.addAll(List.of("regression", "crossEntropy"));
        }
        for (int step = 0; step < steps; step++) {
            names.add("agreement" + step);
        }
        return names;
    }
}
