package dev.outrider.training.head;

import dev.outrider.common.NamedService;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.Optional;

/// The trainer of one kind of head. A subclass passes its texts to the constructor; it is named in `META-INF/services`.
///
/// @param <C> the record of its configuration
public abstract class HeadTrainer<C extends Record & HeadTraining> extends NamedService<C>
        implements TrainerFactory<C> {
    /// @param name        on the command line
    /// @param configType  the record of its keys
    /// @param description one sentence
    /// @param details     further text of the help
    /// @param examples    command lines, without the program's name
    protected HeadTrainer(
            String name,
            Class<C> configType,
            String description,
            String details,
            String... examples) {
        super(name, configType, description, details, examples);
    }

    @Override
    public final Optional<String> train(C config, TrainingContext context) {
        return Trainings.onFrozenTarget(
                config.keys(), rows -> HeadLearner.of(config, rows), context);
    }
}
