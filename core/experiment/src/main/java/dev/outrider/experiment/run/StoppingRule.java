package dev.outrider.experiment.run;

import java.util.List;

/// The interim analyses of a comparison, and the decision whether it continues after each. Called on the running thread, outside
/// timed sections.
public interface StoppingRule {
    /// The numbers of groups of prompts after which there is an interim analysis: increasing, the last one `groups`. Between two
    /// analyses every repetition of the groups between them is measured.
    ///
    /// @param groups number of groups
    default List<Integer> sizes(int groups) {
        return List.of(groups);
    }

    /// Returns whether the measurements are enough.
    ///
    /// @param soFar all measurements
    /// @param look  number of the analysis, from 1
    default boolean enough(ComparisonResult soFar, int look) {
        return true;
    }

    /// Returns whether no further group may begin, independent of the results. The first one begins in any case.
    default boolean spent() {
        return false;
    }

    /// Returns whether the warm-up has used its share of the time.
    default boolean warm() {
        return false;
    }

    /// A rule with one analysis, at the end.
    static StoppingRule atTheEnd() {
        return new StoppingRule() {};
    }
}
