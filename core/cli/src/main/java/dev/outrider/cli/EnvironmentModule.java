package dev.outrider.cli;

import com.google.inject.AbstractModule;
import dev.outrider.common.Ticker;
import java.nio.file.Path;
import java.time.InstantSource;

/// The outside world as commands see it: streams, clocks, the interrupt key, the folder of the checkout.
final class EnvironmentModule extends AbstractModule {
    private final Console console;
    private final Interruption interruption;

    EnvironmentModule(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    @Override
    protected void configure() {
        binder().requireExplicitBindings();
        binder().requireExactBindingAnnotations();
        binder().disableCircularProxies();
        bind(Console.class).toInstance(console);
        bind(Interruption.class).toInstance(interruption);
        bind(InstantSource.class).toInstance(InstantSource.system());
        bind(Ticker.class).toInstance(System::nanoTime);
        bind(Checkout.class)
                .toInstance(new Checkout(Path.of(System.getProperty("outrider.root", "."))));
    }
}
