package dev.outrider.training;

/// A configuration of a training on a target that stays as it is: the common keys, and what is trained.
public interface FrozenTargetSettings {
    /// Returns the keys that all such trainings have.
    FrozenTargetKeys keys();

    /// Loads the target and returns what learns from it. The caller closes the learner.
    ///
    /// @param rows that will be learned
    /// @throws dev.outrider.spi.error.OutriderException        as [FrozenTarget#load]
    /// @throws IllegalArgumentException if the settings do not fit the target
    Learner learner(RowSource rows);
}
