package dev.outrider.cli;

import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.spi.config.ComponentFactory;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/// Everything that a command such as `train` runs by name.
final class Services<F extends ComponentFactory<?>> {
    private final Components<F> installed;
    private final Function<F, Service.About> about;

    /// @param about what one says of itself
    Services(Components<F> installed, Function<F, Service.About> about) {
        this.installed = installed;
        this.about = about;
    }

    /// A command for each.
    List<CommandSpec> commands(BiFunction<Service, F, CommandSpec> command) {
        return installed.all().stream()
                .map(each -> command.apply(service(each), each.factory()))
                .toList();
    }

    /// Answers a command line without an installed name: lists all of them.
    ///
    /// @param words what was given instead
    /// @throws dev.outrider.spi.error.OutriderException `UNKNOWN_COMPONENT` if anything was
    int list(Console console, List<String> words) {
        words.stream().findFirst().ifPresent(installed::require);
        installed.all().forEach(each -> console.out().println(service(each).line()));
        return ExitCode.OK;
    }

    private Service service(Components.Installed<F> each) {
        var said =
                Factories.made(
                        installed.kind(),
                        each.factory(),
                        "what it says of itself",
                        () -> about.apply(each.factory()));
        return new Service(each.name(), each.plugin().origin(), each.configType(), said);
    }
}
