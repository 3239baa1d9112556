package dev.outrider.experiment.run;

import java.util.List;

/// When a comparison stops to look at what it has, and whether it goes on then. Called on the running thread, outside timed sections.
public interface StoppingRule {
    /// The numbers of groups of prompts after which it looks: increasing, the last one `groups`. Between two
    /// looks every repetition of the groups between them is measured.
    ///
    /// @param groups there are
    default List<Integer> sizes(int groups) {
        return List.of(groups);
    }

    /// Whether what there is, is enough.
    ///
    /// @param soFar everything measured
    /// @param look  how many looks there were, this one included
    default boolean enough(ComparisonResult soFar, int look) {
        return true;
    }

    /// Whether no further group may begin, whatever was found.
    default boolean spent() {
        return false;
    }

    /// Looks once, at the end.
    static StoppingRule atTheEnd() {
        return new StoppingRule() {};
    }
}
