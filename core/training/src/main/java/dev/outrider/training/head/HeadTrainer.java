package dev.outrider.training.head;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// The trainer of one kind of head. A subclass passes its texts to the constructor; it is named in `META-INF/services`.
///
/// @param <C> the record of its configuration
public abstract class HeadTrainer<C extends Record & HeadTraining> implements TrainerFactory<C> {
    private final String name;
    private final Class<C> configType;
    private final String description;
    private final String details;
    private final List<String> examples;

    /// @param name        that the command line gives
    /// @param configType  the record of its keys
    /// @param description one sentence
    /// @param details     more for the help
    /// @param examples    command lines, without the program's name
    protected HeadTrainer(
            String name,
            Class<C> configType,
            String description,
            String details,
            String... examples) {
        this.name = name;
        this.configType = configType;
        this.description = description;
        this.details = details;
        this.examples = List.of(examples);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Class<C> configType() {
        return configType;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final String details() {
        return details;
    }

    @Override
    public final List<String> examples() {
        return examples;
    }

    @Override
    public final Optional<String> train(C config, TrainingContext context) {
        return Trainings.onFrozenTarget(
                config.keys(), rows -> HeadLearner.of(config, rows), context);
    }
}
