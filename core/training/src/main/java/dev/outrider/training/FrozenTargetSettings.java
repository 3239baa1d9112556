package dev.outrider.training;

import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;

/// What a configuration says of training on a target that stays as it is.
public interface FrozenTargetSettings {
    /// {@return folder for what is trained}
    Path out();

    /// {@return folder of the target}
    Path target();

    /// {@return token that ends a document}
    String endOfText();

    /// {@return which made-up corpus to learn from}
    long corpusSeed();

    /// {@return how it is trained}
    TrainingConfig training();

    /// Loads the target and makes what learns from it. The caller closes the learner.
    ///
    /// @param rows what will be learnt
    /// @throws OutriderException        as [FrozenTarget#load]
    /// @throws IllegalArgumentException if the settings do not fit the target
    Learner learner(RowSource rows);
}
