package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.check.DeclaredTraits;
import dev.outrider.engine.check.GuardedClose;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The target and the drafters of an experiment. Owns them and closes them last-in first-out. Equal settings share one drafter.
final class LoadedModels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadedModels.class);

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final Map<Component<Drafter.Factory<?>>, Drafter> drafters = new HashMap<>();
    private final TargetModel target;

    /// Load the target.
    LoadedModels(Component<TargetModel.Factory<?>> chosen) {
        this.target = Factories.target(chosen);
        closers.push(target::close);
    }

    TargetModel target() {
        return target;
    }

    /// The drafter of some settings, which is loaded if it is new.
    Drafter drafter(Component<Drafter.Factory<?>> chosen) {
        return drafters.computeIfAbsent(chosen, this::load);
    }

    private Drafter load(Component<Drafter.Factory<?>> chosen) {
        Drafter drafter = Factories.drafter(chosen, () -> target);
        closers.push(new GuardedClose(drafter));
        return DeclaredTraits.checked(chosen.use(), Factories.traits(chosen), drafter);
    }

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
