package dev.outrider.experiment.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/// The speed of one variant over that of another: the geometric mean over prompts, with an interval that holds together with those
/// of all other pairs.
///
/// @param mean `ratio` in files
/// @param low  lower end, if there is an interval
/// @param high upper end, if there is an interval
public record Ratio(
        @JsonProperty("ratio") double mean, Optional<Double> low, Optional<Double> high) {
    /// A variant against itself.
    public static final Ratio ONE = new Ratio(1, Optional.of(1.0), Optional.of(1.0));

    /// From logarithms.
    static Ratio ofLogs(double mean, double margin) {
        return new Ratio(
                Math.exp(mean),
                Optional.of(Math.exp(mean - margin)),
                Optional.of(Math.exp(mean + margin)));
    }

    static Ratio ofLog(double mean) {
        return new Ratio(Math.exp(mean), Optional.empty(), Optional.empty());
    }

    /// The ratio the other way round.
    Ratio inverse() {
        return new Ratio(1 / mean, high.map(each -> 1 / each), low.map(each -> 1 / each));
    }

    /// Whether the whole interval is above a value.
    public boolean above(double value) {
        return low.isPresent() && low.get() > value;
    }

    /// Whether the whole interval is below a value.
    public boolean below(double value) {
        return high.isPresent() && high.get() < value;
    }

    /// Ratio and interval as a person reads them; of a width of nothing the ratio alone.
    public String shown(DoubleFunction<String> number) {
        return low.isEmpty() || high.isEmpty() || low.equals(high)
                ? number.apply(mean)
                : "%s [%s, %s]"
                        .formatted(
                                number.apply(mean),
                                number.apply(low.get()),
                                number.apply(high.get()));
    }

    /// Ratio, low and high with every digit; nothing for the ends where there is no interval.
    public List<String> fields() {
        return List.of(
                Double.toString(mean),
                low.map(String::valueOf).orElse(""),
                high.map(String::valueOf).orElse(""));
    }
}
