package dev.outrider.experiment.report.read;

import dev.outrider.experiment.report.Provenance;
import dev.outrider.experiment.report.Report;
import dev.outrider.experiment.sample.Samples;
import dev.outrider.experiment.stats.SideResult;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One comparison's results: a folder that `outrider bench` or a sweep's worker wrote.
///
/// @param name       name of its folder
/// @param folder     where it is
/// @param labels     what sets it apart from other cells of a sweep, axis by axis; empty for a comparison of its own
/// @param report     every number
/// @param provenance where the numbers come from
/// @param samples    rounds token by token, and the distributions of one
public record Cell(
        String name,
        Path folder,
        Map<String, String> labels,
        Report report,
        Optional<Provenance> provenance,
        Optional<Samples> samples) {
    public Cell {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /// Every side but plain decoding, in the order of the configuration.
    public List<SideResult> variants() {
        return report.variants();
    }

    /// The plain decoding a side is compared with.
    public Optional<SideResult> baseline(SideResult side) {
        return report.sides().stream()
                .filter(other -> other.name().equals(side.baseline()))
                .findFirst();
    }

    /// What to call it beside other cells.
    public String title() {
        return labels.isEmpty() ? name : AxisNames.title(labels);
    }

    /// Whether this is the same cell of another run of its sweep, or a comparison in a folder of the same name.
    public boolean pairsWith(Cell other) {
        return labels.isEmpty() && other.labels.isEmpty()
                ? name.equals(other.name)
                : labels.equals(other.labels);
    }
}
