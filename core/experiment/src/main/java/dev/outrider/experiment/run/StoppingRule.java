package dev.outrider.experiment.run;

import java.util.List;

/// The interim analyses of a comparison, and whether it goes on after each. Called on the running thread, outside timed sections.
public interface StoppingRule {
    /// The numbers of groups of prompts after which it looks: increasing, the last one `groups`. Between two
    /// looks every repetition of the groups between them is measured.
    ///
    /// @param groups there are
    default List<Integer> sizes(int groups) {
        return List.of(groups);
    }

    /// Returns whether the measurements are enough.
    ///
    /// @param soFar everything measured
    /// @param look  how many looks there were, this one included
    default boolean enough(ComparisonResult soFar, int look) {
        return true;
    }

    /// Returns whether no further group may begin, independent of the results. The first one begins in any case.
    default boolean spent() {
        return false;
    }

    /// Whether warming up has taken its share of the time.
    default boolean warm() {
        return false;
    }

    /// Looks once, at the end.
    static StoppingRule atTheEnd() {
        return new StoppingRule() {};
    }
}
