package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.CostCurve;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.DraftCost;
import dev.outrider.experiment.costs.EngineCost;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What one variant and plain decoding take, in nanoseconds.
///
/// @param target      t(n)
/// @param draft       of the variant
/// @param engine      the rest of a round of the variant
/// @param plainEngine the rest of a round of plain decoding
/// @param beginning   what a generation takes beside such rounds
record Prices(
        CostCurve target,
        DraftCost draft,
        EngineCost engine,
        EngineCost plainEngine,
        Beginning beginning) {
    /// What generations take beside rounds as the later ones are.
    ///
    /// @param starts   what comes before rounds
    /// @param costs    what first rounds take more than later ones
    /// @param variant  its name
    /// @param baseline of its plain decoding
    record Beginning(Starts starts, Costs costs, String variant, String baseline) {
        /// In rounds of plain decoding.
        double plain(String prompt) {
            return starts.of(baseline, prompt);
        }

        /// In rounds of plain decoding.
        double drafting(String prompt) {
            return starts.of(variant, prompt);
        }

        /// In nanoseconds.
        double plainFirst() {
            return starts == Starts.NONE ? 0 : costs.firstRounds(baseline, 1);
        }

        /// In nanoseconds.
        ///
        /// @param rows of the longest pass
        double firstRounds(int rows) {
            return starts == Starts.NONE ? 0 : costs.firstRounds(variant, rows);
        }
    }

    private static final DraftCost FREE = new DraftCost(0, 0, "free");

    /// @param costs    of the place
    /// @param own      of the run, for what the place does not say
    /// @param starts   of the place
    /// @param variant  its name
    /// @param baseline of its plain decoding
    static Prices of(Costs costs, Costs own, Starts starts, String variant, String baseline) {
        return new Prices(
                costs.target(),
                Optional.ofNullable(costs.drafters().get(variant))
                        .or(() -> Optional.ofNullable(own.drafters().get(variant)))
                        .orElse(FREE),
                engine(costs, own, variant),
                engine(costs, own, baseline),
                new Beginning(starts, costs, variant, baseline));
    }

    /// As other timings could have found them; these alone where nothing is known of that.
    ///
    /// @param costs that these are of
    /// @param own   as of [#of]
    List<Prices> again(Costs costs, Costs own) {
        return costs.again().isEmpty()
                ? List.of(this)
                : costs.again().stream()
                        .map(each ->
                                of(
                                        each,
                                        own,
                                        beginning.starts(),
                                        beginning.variant(),
                                        beginning.baseline()))
                        .toList();
    }

    private static EngineCost engine(Costs costs, Costs own, String side) {
        return costs.engine().getOrDefault(side, own.engine().getOrDefault(side, EngineCost.FREE));
    }

    /// What rounds take.
    double of(Replay replay) {
        double nanos = draft.round() * replay.drafts();
        for (var each : replay.steps().entrySet()) {
            nanos += each.getValue() * step(each.getKey());
        }
        for (var each : replay.byRows().entrySet()) {
            nanos += each.getValue() * round(each.getKey());
        }
        return nanos;
    }

    /// A round but for the levels of its draft.
    ///
    /// @param rows of its pass
    double round(int rows) {
        return target.at(rows) + engine.round();
    }

    /// A level of a draft. A step that goes on from several nodes takes as much more than from one as a pass of the target does.
    ///
    /// @param nodes that it goes on from
    double step(int nodes) {
        double more = nodes == 1 ? 1 : target.at(nodes) / target.at(1);
        return draft.step() * more + engine.level();
    }

    /// A token of plain decoding.
    double plain() {
        return target.at(1) + plainEngine.round();
    }

    /// How many times as fast as plain decoding along a text, from its start on.
    double speedup(Replay replay) {
        double unit = plain();
        double plain =
                unit * (replay.tokens() + beginning.plain(replay.prompt()))
                        + beginning.plainFirst();
        return plain
                / (of(replay)
                        + unit * beginning.drafting(replay.prompt())
                        + beginning.firstRounds(replay.mostRows()));
    }

    Prices at(CostCurve other) {
        return new Prices(other, draft, engine, plainEngine, beginning);
    }

    Prices withFreeDrafts() {
        return new Prices(target, FREE, engine, plainEngine, beginning);
    }

    /// Where a pass of many rows takes what one of one row takes.
    Prices withFreeRows() {
        var level = new TreeMap<Integer, Double>();
        level.put(1, target.at(1));
        return at(new CostCurve(level));
    }

    /// Where the engine does nothing beside draft and pass; plain decoding's does what it does.
    Prices withFreeEngine() {
        return new Prices(target, draft, EngineCost.FREE, plainEngine, beginning);
    }
}
