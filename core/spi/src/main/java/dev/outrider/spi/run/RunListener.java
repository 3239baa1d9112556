package dev.outrider.spi.run;

import dev.outrider.spi.config.ComponentFactory;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Follows a run: every sequence that is measured, with its rounds. Metrics, traces and exports of one's own are listeners.
///
/// Thread-safe: sequences of a batch or of several workers begin and end in any order.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface RunListener extends AutoCloseable {
    /// A sequence begins.
    ///
    /// @param sequence which one
    /// @return what follows it, on the thread that decodes it
    DecodeListener begin(Sequence sequence);

    /// The run is over; files are finished here. Idempotent.
    @Override
    void close();

    /// Which sequence of a run it is.
    ///
    /// @param variant    the variant's name, or the name of plain decoding
    /// @param prompt     the prompt's name
    /// @param repetition how often the prompt was decoded by this side before, from 0
    record Sequence(String variant, String prompt, int repetition) {}

    /// Makes listeners from configuration. Thread-safe.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// Starts following a run.
        ///
        /// @param config what the configuration says
        /// @param folder where the run's results go; files of the listener belong there
        /// @return the listener, which the caller closes
        /// @throws dev.outrider.spi.error.OutriderException if it cannot write
        RunListener open(C config, Path folder);
    }
}
