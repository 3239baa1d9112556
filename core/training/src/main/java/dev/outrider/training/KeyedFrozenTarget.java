package dev.outrider.training;

import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// [FrozenTargetSettings] of a configuration that takes in [FrozenTargetKeys].
public interface KeyedFrozenTarget extends FrozenTargetSettings {
    /// {@return the keys in common}
    FrozenTargetKeys keys();

    @Override
    default Path out() {
        return keys().out();
    }

    @Override
    default Path target() {
        return keys().target();
    }

    @Override
    default String endOfText() {
        return keys().endOfText();
    }

    @Override
    default long corpusSeed() {
        return keys().corpusSeed();
    }

    @Override
    default Optional<DataConfig> data() {
        return keys().data();
    }

    @Override
    default TrainingConfig training() {
        return keys().training();
    }
}
