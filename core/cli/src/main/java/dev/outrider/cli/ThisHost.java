package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorMachine;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/// This process and this machine, as results name them.
final class ThisHost {
    private ThisHost() {}

    static Host of(Checkout checkout, Ticker ticker, InstantSource clock) {
        return new Host(
                GitState.of(checkout.root()),
                Machine.jvm(),
                Machine.processor(),
                new TreeMap<>(
                        Map.of(
                                "outrider",
                                BuildInfo.version(),
                                "tensors",
                                TensorRuntime.artefact(),
                                "vectors",
                                VectorMachine.name())),
                PassThreads::use,
                ticker,
                clock);
    }
}
