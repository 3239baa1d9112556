package dev.outrider.spi.run;

import dev.outrider.spi.config.ComponentFactory;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Follows a run: every measured sequence, with its rounds. Metrics, traces and exports can be listeners.
///
/// Thread-safe: sequences of a batch or of several workers begin and end in any order.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface RunListener extends AutoCloseable {
    /// A sequence begins.
    ///
    /// @param sequence the sequence
    /// @return its listener, called on the thread that decodes it
    DecodeListener begin(Sequence sequence);

    /// The run is over; files are finished here. Idempotent.
    @Override
    void close();

    /// Identifies a sequence of a run.
    ///
    /// @param variant    the variant's name, or the name of plain decoding
    /// @param prompt     the prompt's name
    /// @param repetition number of earlier runs of the prompt by this variant, from 0
    record Sequence(String variant, String prompt, int repetition) {}

    /// Makes listeners from configuration. Thread-safe.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// Starts following a run.
        ///
        /// @param config the bound configuration
        /// @param folder of the run's results; files of the listener belong there
        /// @return the listener, which the caller closes
        /// @throws dev.outrider.spi.error.OutriderException if it cannot write
        RunListener open(C config, Path folder);
    }
}
