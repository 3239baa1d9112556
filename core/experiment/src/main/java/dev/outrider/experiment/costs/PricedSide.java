package dev.outrider.experiment.costs;

import dev.outrider.experiment.stats.Ratio;
import dev.outrider.experiment.stats.Standing;

/// A side at other costs. Speedups are over plain decoding at the same costs, geometric means over prompts.
///
/// @param variant        name of the side
/// @param baseline       name of the plain decoding it is compared with
/// @param tokensPerRound as measured
/// @param here           speedup at the costs of the run itself
/// @param there          speedup at the other costs
/// @param draft          mean time of a draft there, in passes of one row
/// @param pass           mean time of a target pass there, in passes of one row
/// @param engine         mean time of the rest of a round there, in passes of one row
/// @param draftOrigin    where the costs of drafts are from
/// @param standing       among the sides of one baseline, at the other costs
public record PricedSide(
        String variant,
        String baseline,
        double tokensPerRound,
        Ratio here,
        Ratio there,
        double draft,
        double pass,
        double engine,
        String draftOrigin,
        Standing standing) {
    /// Whether this is plain decoding.
    public boolean plain() {
        return variant.equals(baseline);
    }

    /// Whether it is faster than plain decoding there: only where the whole interval says so.
    public String pays() {
        if (plain()) {
            return "-";
        }
        if (there.above(1)) {
            return "pays";
        }
        return there.below(1) ? "loses" : "not shown";
    }
}
