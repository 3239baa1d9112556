package dev.outrider.training.head;

import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;

/// A configuration of a training on a target that stays as it is: the common keys, and what is trained.
public interface HeadTraining extends FrozenTargetKeys.Holder {
    /// Returns what is trained.
    ///
    /// @param target closed by the caller
    /// @param rows   that will be learned
    /// @throws dev.outrider.spi.error.OutriderException if files that it starts from cannot be read
    /// @throws IllegalArgumentException                 if the settings do not fit the target
    TrainedHead head(FrozenTarget target, RowSource rows);
}
