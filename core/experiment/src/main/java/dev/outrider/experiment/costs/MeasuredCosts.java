package dev.outrider.experiment.costs;

import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.RoundMeans;
import dev.outrider.experiment.stats.SideResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The costs that a comparison measured.
public final class MeasuredCosts {
    private MeasuredCosts() {}

    /// The costs of a comparison, for its own variants.
    ///
    /// @throws OutriderException DATA_INVALID if no pass of one row was measured
    public static Costs of(Cell cell) {
        return of(cell, cell.variants());
    }

    /// The costs of a comparison for the variants of another one: those of the variant of the same name, or of those with the same
    /// drafter.
    ///
    /// @param cell     whose costs
    /// @param variants whose drafts
    /// @throws OutriderException DATA_INVALID if no pass of one row was measured
    public static Costs of(Cell cell, List<SideResult> variants) {
        var drafters = new HashMap<String, DraftCost>();
        var engine = new HashMap<String, Double>();
        for (SideResult variant : variants) {
            namesake(cell, variant)
                    .ifPresent(found -> {
                        drafters.put(
                                variant.name(),
                                draft(
                                        List.of(found),
                                        "variant '%s' there".formatted(found.name())));
                        engine.put(variant.name(), engine(found));
                    });
            var alike =
                    cell.variants().stream()
                            .filter(each -> each.drafter().equals(variant.drafter()))
                            .filter(each -> each.draftLength() > 0)
                            .toList();
            if (!alike.isEmpty()) {
                drafters.putIfAbsent(
                        variant.name(),
                        draft(alike, "the drafter '%s' there".formatted(variant.drafter())));
            }
        }
        for (SideResult side : cell.report().sides()) {
            if (side.plain()) {
                engine.put(side.name(), engine(side));
            }
        }
        return new Costs(cell.title(), "measured in that run", curve(cell), drafters, engine);
    }

    private static Optional<SideResult> namesake(Cell cell, SideResult variant) {
        return cell.variants().stream()
                .filter(each ->
                        each.name().equals(variant.name())
                                && each.drafter().equals(variant.drafter()))
                .findFirst();
    }

    private static CostCurve curve(Cell cell) {
        Map<Integer, Double> points =
                cell.report().costCurve().stream()
                        .filter(point -> point.meanNanos() > 0)
                        .collect(
                                Collectors.toMap(
                                        CostPoint::rows,
                                        CostPoint::meanNanos,
                                        (one, _) -> one,
                                        TreeMap::new));
        if (!points.containsKey(1)) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' has no pass of one row, so its costs are not known"
                            .formatted(cell.folder()),
                    "Name results of a comparison in which plain decoding was measured.");
        }
        return new CostCurve(new TreeMap<>(points));
    }

    /// Time over levels: rounds of one variant mostly have one depth, which does not tell a round's part from a step's.
    private static DraftCost draft(List<SideResult> sides, String origin) {
        double nanos = 0;
        double levels = 0;
        for (SideResult side : sides) {
            nanos += side.counts().times().draft();
            levels += side.counts().draftSteps();
        }
        return new DraftCost(0, levels == 0 ? 0 : nanos / levels, origin);
    }

    private static double engine(SideResult side) {
        RoundMeans means = side.meanNanos();
        return means.decide() + means.commit() + means.observe() + means.rest();
    }
}
