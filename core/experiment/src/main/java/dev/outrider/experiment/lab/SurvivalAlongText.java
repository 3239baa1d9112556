package dev.outrider.experiment.lab;

import dev.outrider.experiment.lab.Recording.RecordedDraft;
import java.util.function.IntToDoubleFunction;

/// `S_l`: the probability that a round keeps the first l guesses of a draft and these are the text's tokens, given the text. With x
/// the text after the round's first position, `p_k` and `q_k` are the probabilities of its k-th token on the text's own path:
///
/// ```
/// token rejection     S_l = prod_k min(1, q_k / p_k)
/// block verification  S_l = min_{j <= l} min(1, Q_j / P_j)      P_j = prod p_k,  Q_j = prod q_k
/// sample and match    S_l = Q_l; of guesses that were not drawn, 1 as far as the draft has the text
/// ```
///
/// Block verification keeps the most that any rule can keep of a drawn chain: a rule keeps x_1 … x_l only if they were drawn, so
/// that `P_l S_l <= Q_l`, and a rule that keeps l tokens also keeps fewer. The proof that block verification reaches this bound is
/// in docs/reference/algorithms.md A20; tests compare all formulas with the rules themselves.
///
/// @see "Leviathan et al. 2023, section 2.3; Sun et al. 2024, lemma 4 and theorem 2; Li et al. 2024 (EAGLE-2)"
final class SurvivalAlongText {
    private SurvivalAlongText() {}

    /// @param length levels that are drafted, at most those of the draft
    static double[] token(RecordedDraft draft, int length) {
        return product(
                length,
                level -> {
                    double q = draft.q()[level];
                    return q > 0 ? Math.min(1, q / draft.p()[level]) : 0;
                });
    }

    /// @param length as of [#token]
    static double[] block(RecordedDraft draft, int length) {
        var kept = start(length);
        double quotient = 1;
        for (int level = 1; level <= length && kept[level - 1] > 0; level++) {
            quotient *= draft.q()[level - 1] > 0 ? draft.q()[level - 1] / draft.p()[level - 1] : 0;
            kept[level] = Math.min(kept[level - 1], quotient);
        }
        return kept;
    }

    /// @param length as of [#token]
    static double[] match(RecordedDraft draft, int length) {
        return product(length, level -> draft.q()[level]);
    }

    /// Sample and match with the most probable guesses, so many at each node of a level.
    ///
    /// @param widths by level, at most the draft's levels
    static double[] ranked(RecordedDraft draft, int... widths) {
        return product(
                widths.length,
                level -> {
                    int rank = draft.rank()[level];
                    return rank >= 0 && rank < widths[level] ? 1 : 0;
                });
    }

    /// The most that any rule can keep of a tree of independent draws: x_1 … x_l must be in the tree.
    ///
    /// ```
    /// S_l <= min_{j <= l} min(1, f_1 / P_j)      f_{j+1} = 1,  f_k = 1 - (1 - q_k f_{k+1})^{w_k}
    /// ```
    ///
    /// @param widths by level, at most the draft's levels
    static double[] bound(RecordedDraft draft, int... widths) {
        var kept = start(widths.length);
        double p = 1;
        for (int level = 1; level <= widths.length && kept[level - 1] > 0; level++) {
            p *= draft.p()[level - 1];
            double there = 1;
            for (int above = level; above >= 1; above--) {
                there = 1 - Math.pow(1 - draft.q()[above - 1] * there, widths[above - 1]);
            }
            kept[level] = there > 0 ? Math.min(kept[level - 1], there / p) : 0;
        }
        return kept;
    }

    /// Returns the products of the levels' shares.
    private static double[] product(int length, IntToDoubleFunction share) {
        var kept = start(length);
        for (int level = 1; level <= length; level++) {
            kept[level] = kept[level - 1] * share.applyAsDouble(level - 1);
        }
        return kept;
    }

    private static double[] start(int length) {
        var kept = new double[length + 1];
        kept[0] = 1;
        return kept;
    }
}
