package dev.outrider.engine.assembly;

import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.GuardedClose;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A target and the drafters that draft for it. Owns what it loads and closes it last-in first-out. Equal settings share one drafter.
///
/// Confined to one thread; the models themselves may be used by several.
public final class LoadedModels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadedModels.class);

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final Map<DrafterChoice, Drafter> drafters = new HashMap<>();
    private final TargetModel target;

    private LoadedModels(TargetModel target) {
        this.target = target;
    }

    /// Loads a target.
    ///
    /// @param config an instance of the record type that the factory declares
    /// @throws ClassCastException if it is none
    /// @throws dev.outrider.spi.error.OutriderException what loading throws
    public static LoadedModels open(TargetModel.Factory<?> factory, Record config) {
        var models = new LoadedModels(Factories.target(factory, config));
        models.closers.push(models.target::close);
        return models;
    }

    /// Returns models for a target that stays the caller's; the caller closes it after them.
    public static LoadedModels around(TargetModel target) {
        return new LoadedModels(target);
    }

    /// The target.
    public TargetModel target() {
        return target;
    }

    /// Returns the drafter of some settings, and loads it if it is new.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what loading throws; `CONTRACT_BROKEN` if the drafter differs from what
    ///                                                  its factory declared
    public Drafter drafter(DrafterChoice chosen) {
        return drafters.computeIfAbsent(chosen, this::load);
    }

    private Drafter load(DrafterChoice chosen) {
        Drafter drafter = Factories.drafter(chosen, () -> target);
        closers.push(new GuardedClose(drafter));
        Compatibility.requireDeclared(
                chosen.use(), Factories.traits(chosen), Factories.traits(chosen, drafter));
        return drafter;
    }

    /// Closes the drafters, then the target. Idempotent.
    @Override
    public void close() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
        PluginContext.threads()
                .forEach(thread ->
                        LOG.warn("thread {} still runs after its plugin was closed", thread));
    }
}
