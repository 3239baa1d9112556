package dev.outrider.training;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;

/// Tells how good the parameters of an unfinished run are, by whatever a model in a folder can be put to. Confined to the
/// thread that trains.
public interface CheckpointMeasure {
    /// What it is called in the loss curve and in `training.json`.
    String name();

    /// Whether more is better.
    boolean higherIsBetter();

    /// The measure of a model.
    ///
    /// @param folder the model as the run would finish it now; read while this method runs, gone afterwards
    /// @throws IOException       if a file cannot be read or written
    /// @throws OutriderException for every other expected failure
    double of(Path folder) throws IOException;
}
