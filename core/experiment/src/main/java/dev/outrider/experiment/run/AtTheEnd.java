package dev.outrider.experiment.run;

import java.util.List;

/// Measures everything.
record AtTheEnd() implements Looking {
    @Override
    public List<Integer> sizes(int groups) {
        return List.of(groups);
    }

    @Override
    public boolean enough(ComparisonResult soFar, int look) {
        return true;
    }

    @Override
    public boolean spent() {
        return false;
    }
}
