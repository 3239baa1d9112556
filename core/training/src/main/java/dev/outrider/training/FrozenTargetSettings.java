package dev.outrider.training;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What a configuration says of training on a target that stays as it is.
public interface FrozenTargetSettings {
    /// {@return folder for what is trained}
    Path out();

    /// {@return folder of the target}
    Path target();

    /// {@return token that ends a document}
    String endOfText();

    /// {@return which made-up corpus to learn from where there are no data}
    long corpusSeed();

    /// {@return what to learn from; nothing for the made-up corpus}
    Optional<DataConfig> data();

    /// {@return how it is trained}
    TrainingConfig training();

    /// Loads the target and makes what learns from it. The caller closes the learner.
    ///
    /// @param rows what will be learnt
    /// @throws OutriderException        as [FrozenTarget#load]
    /// @throws IllegalArgumentException if the settings do not fit the target
    Learner learner(RowSource rows);
}
