package dev.outrider.training;

/// Linear warm-up, then a cosine down to a fraction of the peak.
///
/// @param peak          the highest rate; positive
/// @param finalFraction the last step's rate as a fraction of the peak; 0 to 1
/// @param warmupSteps   steps until the peak is reached; 0 or more
/// @param steps         steps of the whole run; more than `warmupSteps`
public record LearningRate(double peak, double finalFraction, int warmupSteps, int steps) {
    public LearningRate {
        if (!(peak > 0) || !(finalFraction >= 0 && finalFraction <= 1)) {
            throw new IllegalArgumentException(
                    "peak %s must be positive and finalFraction %s between 0 and 1"
                            .formatted(peak, finalFraction));
        }
        if (warmupSteps < 0 || steps <= warmupSteps) {
            throw new IllegalArgumentException(
                    "steps (%d) must exceed warmupSteps (%d), which may not be negative"
                            .formatted(steps, warmupSteps));
        }
    }

    /// The rate of a step, counted from 1.
    public double at(long step) {
        if (step <= warmupSteps) {
            return peak * step / warmupSteps;
        }
        double progress = Math.min(1, (double) (step - warmupSteps) / (steps - warmupSteps));
        double cosine = (1 + Math.cos(Math.PI * progress)) / 2;
        return peak * (finalFraction + (1 - finalFraction) * cosine);
    }
}
