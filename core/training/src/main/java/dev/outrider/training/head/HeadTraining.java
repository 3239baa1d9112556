package dev.outrider.training.head;

import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;

/// A configuration of a training on a target that does not change: the common keys, and the head to train.
public interface HeadTraining extends FrozenTargetKeys.Holder {
    /// Returns the head to train.
    ///
    /// @param target closed by the caller
    /// @param rows   the rows to learn
    /// @throws dev.outrider.spi.error.OutriderException if files that it starts from cannot be read
    /// @throws IllegalArgumentException                 if the settings do not fit the target
    TrainedHead head(FrozenTarget target, RowSource rows);
}
