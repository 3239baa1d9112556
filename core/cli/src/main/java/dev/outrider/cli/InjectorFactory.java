package dev.outrider.cli;

import com.google.inject.Injector;
import com.google.inject.Key;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/// Makes commands through the injector; picocli's own small helpers as it always does.
final class InjectorFactory implements IFactory {
    private final Injector injector;

    InjectorFactory(Injector injector) {
        this.injector = injector;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        var binding = injector.getExistingBinding(Key.get(type));
        return binding == null
                ? CommandLine.defaultFactory().create(type)
                : binding.getProvider().get();
    }
}
