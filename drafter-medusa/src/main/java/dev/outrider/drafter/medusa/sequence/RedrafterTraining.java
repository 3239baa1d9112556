package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadLearner;
import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.KeyedFrozenTarget;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;

/// What `outrider train redrafter` reads.
public record RedrafterTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The head, whose guesses in a row are the 'count' that learn.") HeadPlan heads,
        @Doc("How it takes tokens in.") @Default("{}") RecurrencePlan recurrence)
        implements KeyedFrozenTarget {
    @Override
    public Learner learner(RowSource rows) {
        return HeadLearner.of(keys, new TrainedRedrafter(heads, recurrence));
    }
}
