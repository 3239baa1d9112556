package dev.outrider.experiment.report.chart;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.experiment.results.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The curve and the facts that a training run has written.
///
/// @param name   of the run's folder
/// @param points of the loss curve, step by step
/// @param facts  content of `training.json`; empty for an unfinished run
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
                Json.lines(folder.resolve(CURVE), JsonNode.class).stream()
                        .map(TrainingCurve::point)
                        .toList();
        var facts = new LinkedHashMap<String, String>();
        Json.optional(folder.resolve("training.json"), JsonNode.class)
                .ifPresent(json ->
                        json.properties()
                                .forEach(each ->
                                        facts.put(each.getKey(), each.getValue().asText())));
        var name = Optional.ofNullable(folder.toAbsolutePath().normalize().getFileName());
        return new TrainingCurve(name.map(Path::toString).orElse("training"), points, facts);
    }

    /// Returns all keys of its points, in the order of their first use.
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

    /// The calibration of a confidence head over the guesses of the validation rows.
    ///
    /// @param bins of rising confidence; those without guesses are left out
    public record Calibration(List<Bin> bins) {
        /// The keys of a bin in a curve: its share, and its mean confidence and acceptance times the share.
        private static final Pattern KEY = Pattern.compile("(share|confidence|accepted)[0-9]+");

        /// Guesses of about the same confidence.
        ///
        /// @param number     counted from 0, of equally wide bins
        /// @param share      of all guesses
        /// @param confidence mean confidence of the head
        /// @param acceptance mean probability with which the target accepts them
        public record Bin(int number, double share, double confidence, double acceptance) {}

        /// Whether a key of a curve belongs to a bin.
        public static boolean isKey(String key) {
            return KEY.matcher(key).matches();
        }

        /// Returns the calibration of the last validation that measured it.
        public static Optional<Calibration> of(TrainingCurve run) {
            var points = run.with("share0");
            return points.isEmpty() ? Optional.empty() : Optional.of(of(points.getLast()));
        }

        private static Calibration of(TrainingCurve.Point point) {
            var bins = new ArrayList<Bin>();
            var values = point.values();
            for (int number = 0; values.containsKey("share" + number); number++) {
                double share = values.getOrDefault("share" + number, 0.0);
                if (share > 0) {
                    bins.add(
                            new Bin(
                                    number,
                                    share,
                                    values.getOrDefault("confidence" + number, 0.0) / share,
                                    values.getOrDefault("accepted" + number, 0.0) / share));
                }
            }
            return new Calibration(bins);
        }

        /// Mean distance of confidence and acceptance, weighted by the bins' shares.
        ///
        /// @see "Guo et al. 2017, On calibration of modern neural networks, equation 3"
        public double expectedError() {
            return bins.stream()
                    .mapToDouble(bin -> bin.share() * Math.abs(bin.confidence() - bin.acceptance()))
                    .sum();
        }
    }
}
