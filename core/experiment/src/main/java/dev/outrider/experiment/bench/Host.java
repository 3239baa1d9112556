package dev.outrider.experiment.bench;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.results.Provenance.GitState;
import java.time.InstantSource;
import java.util.SortedMap;
import java.util.function.IntConsumer;

/// The process and the machine of an experiment, as far as results name them.
///
/// @param git        the checkout
/// @param jvm        vendor, version and flags that matter
/// @param device     processor or accelerator
/// @param engines    version of each library that computes, Outrider's own under `outrider`
/// @param useThreads tells the tensor engine how many threads it may use
/// @param ticker     clock of times
/// @param clock      clock of dates
public record Host(
        GitState git,
        String jvm,
        String device,
        SortedMap<String, String> engines,
        IntConsumer useThreads,
        Ticker ticker,
        InstantSource clock) {
    /// Outrider's version.
    public String version() {
        return engines.getOrDefault("outrider", "unknown");
    }
}
