package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.CostCurve;
import dev.outrider.experiment.costs.CostCurve.Reach;
import java.util.List;

/// How well the passes of rounds are known.
final class Reaches {
    /// Fewer rounds than this do not matter.
    private static final double SHARE = 0.05;

    private Reaches() {}

    /// The worst that one round in twenty comes to.
    static Reach of(List<Replay> replays, CostCurve target) {
        double all = 0;
        double beyond = 0;
        double between = 0;
        for (var replay : replays) {
            all += replay.rounds();
            for (var each : replay.byRows().entrySet()) {
                switch (target.reach(each.getKey())) {
                    case BEYOND -> beyond += each.getValue();
                    case BETWEEN -> between += each.getValue();
                    case TIMED -> {}
                }
            }
        }
        if (beyond > SHARE * all) {
            return Reach.BEYOND;
        }
        return beyond + between > SHARE * all ? Reach.BETWEEN : Reach.TIMED;
    }
}
