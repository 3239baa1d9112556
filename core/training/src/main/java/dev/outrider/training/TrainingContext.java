package dev.outrider.training;

import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Gives a trainer the services of the program. Confined to one thread; valid until [TrainerFactory#train] returns.
public interface TrainingContext {
    /// Documents of the made-up corpus to learn.
    ///
    /// @param corpusSeed names the corpus
    DocumentSource training(long corpusSeed);

    /// Documents of the same corpus for the validation; none of them is learnt.
    ///
    /// @param corpusSeed names the corpus
    DocumentSource validation(long corpusSeed);

    /// Questions with their answers of the made-up corpus, to learn.
    ///
    /// @param corpusSeed names the corpus
    DocumentSource trainingPairs(long corpusSeed);

    /// Questions with their answers of the same corpus for the validation; none of them is learnt.
    ///
    /// @param corpusSeed names the corpus
    DocumentSource validationPairs(long corpusSeed);

    /// Returns the provenance to write into results: the configuration's hash, the program's version.
    Map<String, String> provenance();

    /// Returns whether the user wants to continue an unfinished run.
    boolean resume();

    /// Starts to show a run.
    ///
    /// @param steps of the whole run
    /// @return receives every step
    TrainingProgress progress(int steps);

    /// Returns true when the user has asked to stop.
    BooleanSupplier stop();

    /// Elapsed time in nanoseconds from an arbitrary origin.
    LongSupplier ticker();
}
