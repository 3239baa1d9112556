package dev.outrider.cli;

import dev.outrider.config.Component;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.KeyDescription;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.target.TargetModel;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which drafters fit a model. Nobody keeps a list: the model is loaded, and every kind of drafter that needs no more than a path is asked
/// to load what lies there for it.
final class DrafterFacts {
    private static final String PATH = "path";

    private final PluginRegistry plugins;
    private final ConfigLoader loader;

    @Inject
    DrafterFacts(PluginRegistry plugins, ConfigLoader loader) {
        this.plugins = plugins;
        this.loader = loader;
    }

    /// What a comparison would load.
    record Pair(Component<TargetModel.Factory<?>> target, Optional<DrafterChoice> drafter) {}

    /// The answers of all kinds.
    ///
    /// @param drafter a folder or a file
    /// @throws dev.outrider.spi.error.OutriderException what loading the model throws
    Fact of(Path model, Path drafter) {
        var answers = new LinkedHashMap<String, String>();
        var target = read("target: " + target(model)).target();
        try (var models = LoadedModels.open(target.factory(), target.config())) {
            for (var kind : plugins.all(ComponentKind.DRAFTER).all()) {
                var required =
                        KeyDescription.of(kind.configType()).stream()
                                .filter(KeyDescription::required)
                                .toList();
                if (required.size() == 1 && required.getFirst().type().equals(PATH)) {
                    var yaml =
                            "target: %s%ndrafter: %s%n"
                                    .formatted(
                                            target(model),
                                            used(kind.name(), required.getFirst().name(), drafter));
                    answers.put(
                            kind.name(),
                            Answer.of(
                                    "fits",
                                    () -> models.drafter(read(yaml).drafter().orElseThrow())));
                }
            }
        }
        return new Fact(
                "drafters",
                answers,
                answers.entrySet().stream()
                        .map(each -> each.getKey() + ": " + each.getValue())
                        .collect(Collectors.joining("\n")));
    }

    private Pair read(String yaml) {
        return loader.parse(yaml, "--drafter", Path.of("").toAbsolutePath(), Pair.class, List.of())
                .config();
    }

    private static String target(Path model) {
        return used("vector", PATH, model);
    }

    private static String used(String name, String key, Path path) {
        return "{use: %s, %s: '%s'}"
                .formatted(name, key, path.toAbsolutePath().toString().replace("'", "''"));
    }
}
