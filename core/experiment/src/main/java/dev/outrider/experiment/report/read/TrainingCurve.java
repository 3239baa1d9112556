package dev.outrider.experiment.report.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a training run has written of itself.
///
/// @param name   of the run's folder
/// @param points of the loss curve, step by step
/// @param facts  what `training.json` says; nothing of an unfinished run
public record TrainingCurve(String name, List<Point> points, Map<String, String> facts) {
    private static final String CURVE = "loss-curve.jsonl";

    /// Numbers after a step.
    ///
    /// @param step   counted from 1
    /// @param values by their keys in the file
    public record Point(long step, Map<String, Double> values) {}

    /// Whether a folder is that of a training run.
    public static boolean isIn(Path folder) {
        return Files.isRegularFile(folder.resolve(CURVE));
    }

    /// Reads a run, finished or not.
    ///
    /// @throws dev.outrider.spi.error.OutriderException DATA_INVALID if a file is broken
    public static TrainingCurve read(Path folder) {
        var points =
                JsonFiles.lines(folder.resolve(CURVE), JsonNode.class).stream()
                        .map(TrainingCurve::point)
                        .toList();
        var facts = new LinkedHashMap<String, String>();
        JsonFiles.optional(folder.resolve("training.json"), JsonNode.class)
                .ifPresent(json ->
                        json.properties()
                                .forEach(each ->
                                        facts.put(each.getKey(), each.getValue().asText())));
        var name = Optional.ofNullable(folder.toAbsolutePath().normalize().getFileName());
        return new TrainingCurve(name.map(Path::toString).orElse("training"), points, facts);
    }

    /// All keys of its points, in the order in which they turn up.
    public Set<String> keys() {
        var keys = new LinkedHashSet<String>();
        points.forEach(point -> keys.addAll(point.values().keySet()));
        return keys;
    }

    /// The points that have a key.
    public List<Point> with(String key) {
        return points.stream().filter(point -> point.values().containsKey(key)).toList();
    }

    private static Point point(JsonNode line) {
        var values = new LinkedHashMap<String, Double>();
        for (var each : new ArrayList<>(line.properties())) {
            double value = each.getValue().asDouble(Double.NaN);
            if (!each.getKey().equals("step") && Double.isFinite(value)) {
                values.put(each.getKey(), value);
            }
        }
        return new Point(line.path("step").asLong(), values);
    }
}
