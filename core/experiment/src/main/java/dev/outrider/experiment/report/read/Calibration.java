package dev.outrider.experiment.report.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// How a confidence head's words and what came of them go together, over the guesses of the validation rows.
///
/// @param bins of rising confidence; those without guesses are left out
public record Calibration(List<Bin> bins) {
    /// The keys of a bin in a curve: its share, and its mean confidence and acceptance times the share.
    private static final Pattern KEY = Pattern.compile("(share|confidence|accepted)[0-9]+");

    public Calibration {
        bins = List.copyOf(bins);
    }

    /// Guesses of about the same confidence.
    ///
    /// @param number     counted from 0, of equally wide bins
    /// @param share      of all guesses
    /// @param confidence mean of what the head said
    /// @param acceptance mean probability with which the target accepts them
    public record Bin(int number, double share, double confidence, double acceptance) {}

    /// Whether a key of a curve belongs to a bin.
    public static boolean isKey(String key) {
        return KEY.matcher(key).matches();
    }

    /// Of the last validation that measured it.
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
