package dev.outrider.experiment.run;

import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The mistakes of one run, told together. Confined to one thread.
final class Mistakes {
    private final List<OutriderException> found = new ArrayList<>();

    int count() {
        return found.size();
    }

    void add(OutriderException mistake) {
        found.add(mistake);
    }

    /// Does a part of the work, and keeps its mistake.
    ///
    /// @param place in front of the problem, such as `variants[1] 'tree'`; may be empty
    void during(String place, Runnable part) {
        try {
            part.run();
        } catch (OutriderException e) {
            add(place.isEmpty() ? e : e.within(place));
        }
    }

    /// @throws OutriderException the only mistake, or all of them, each with its code and what to do, under the code of the first
    void raise() {
        if (found.size() == 1) {
            throw found.getFirst();
        }
        if (!found.isEmpty()) {
            var all = found.stream().map(each -> "\n" + each.getMessage());
            var listed = all.collect(Collectors.joining()).replace("\n", "\n  ");
            throw found.getFirst()
                    .code()
                    .error(
                            found.size() + " mistakes:" + listed,
                            "Correct each as the line below it says.");
        }
    }
}
