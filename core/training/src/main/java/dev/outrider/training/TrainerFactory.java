package dev.outrider.training;

import dev.outrider.common.CommandService;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.Optional;

/// Something that `outrider train` can train, by name. Thread-safe.
///
/// Found by [java.util.ServiceLoader], on the class path and in every plugin folder: a public class with a constructor without
/// parameters, named in `META-INF/services/dev.outrider.training.TrainerFactory`.
///
/// @param <C> the record its configuration binds to; components of simple types are options of the command too
public interface TrainerFactory<C extends Record> extends CommandService<C> {
    /// {@return whether a run that was stopped or killed can go on} If so, the command has the option `--resume`.
    default boolean resumes() {
        return true;
    }

    /// Trains, to the end or until asked to stop. Confined to the calling thread.
    ///
    /// @param config  the bound configuration
    /// @param context services of the program
    /// @return one line about the result; empty if it was stopped and can be resumed
    /// @throws IOException       if a file cannot be read or written
    /// @throws OutriderException for every other expected failure
    Optional<String> train(C config, TrainingContext context) throws IOException;
}
