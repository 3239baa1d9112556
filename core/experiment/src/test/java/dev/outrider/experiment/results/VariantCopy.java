package dev.outrider.experiment.results;

import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.Exactness;
import java.util.Optional;

/// A measured variant, of which tests change some parts.
public record VariantCopy(VariantResult from) {
    /// Returns a copy with another name, exactness, speed and ranking.
    public VariantResult with(
            String name,
            Exactness exactness,
            VariantResult.Speed speed,
            Optional<Ranking> ranking) {
        return new VariantResult(
                name,
                from.baseline(),
                from.drafter(),
                from.rule(),
                from.temperature(),
                from.sampling(),
                from.beams(),
                exactness,
                speed,
                from.counts(),
                from.contributions(),
                ranking);
    }
}
