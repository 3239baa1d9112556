package dev.outrider.drafter.medusa;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.KeyedFrozenTarget;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;

/// What `outrider train medusa` reads.
public record MedusaTraining(@Inline FrozenTargetKeys keys, @Doc("The heads.") HeadPlan heads)
        implements KeyedFrozenTarget {
    @Override
    public Learner learner(RowSource rows) {
        return HeadLearner.of(keys, new TrainedMedusa(heads));
    }
}
