package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.Mismatch;
import dev.outrider.experiment.run.Side;
import java.util.Optional;
import java.util.stream.Collectors;

/// Greedy output of a variant against that of plain decoding, or hypotheses against those of plain search.
///
/// @param prompts measured
/// @param equal   prompts on which every token id is the same, and of hypotheses every score
public record GreedyIds(long prompts, long equal) {
    static Optional<GreedyIds> of(Side side, ComparisonResult result) {
        if (side.plain() || !side.policy().greedy()) {
            return Optional.empty();
        }
        var measured =
                result.generations().stream()
                        .map(record -> result.plan().prompts().get(record.prompt()).id())
                        .collect(Collectors.toSet());
        long different =
                result.mismatches().stream()
                        .filter(mismatch -> mismatch.side().equals(side.name()))
                        .map(Mismatch::prompt)
                        .filter(measured::contains)
                        .distinct()
                        .count();
        return Optional.of(new GreedyIds(measured.size(), measured.size() - different));
    }
}
