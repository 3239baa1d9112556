package dev.outrider.cli;

import dev.outrider.common.NearestName;
import dev.outrider.common.ShapedPath;
import dev.outrider.config.Component;
import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.YamlText;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.experiment.tune.DrafterFamily;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the drafters that fit a model. There is no list: the model is loaded, and every kind of drafter that needs only a path
/// tries to load the file or folder for it.
record DrafterFacts(CommandContext context) {
    /// The answer of a kind of drafter that can draft for the model.
    static final String FITS = "fits";

    private static final String PATH = "path";

    /// A folder of the hub's cache.
    private static final Pattern SNAPSHOT =
            Pattern.compile("models--.*?--(.+)[/\\\\]snapshots[/\\\\][0-9a-f]{40}(@.*)?$");

    /// The target and the drafter of a configuration.
    record Pair(Component<TargetModel.Factory<?>> target, Optional<DrafterChoice> drafter) {}

    /// The answers of all kinds.
    ///
    /// @param drafter a folder or a file
    /// @throws dev.outrider.spi.error.OutriderException as loading the model throws it
    ModelFacts.Fact of(Path model, Path drafter) {
        Map<String, String> answers;
        try (var models = target(model)) {
            answers = answers(models, model, drafter);
        }
        return new ModelFacts.Fact("drafters", answers, ModelFacts.lines(answers));
    }

    /// The loaded model.
    LoadedModels target(Path model) {
        var target = read("target: " + targetYaml(model), List.of()).target();
        return LoadedModels.open(target.factory(), target.config());
    }

    /// Returns for each kind of drafter [#FITS], or the reason why it does not fit.
    ///
    /// @param models  with the target; receives the drafters that fit
    /// @param model   path of the target
    /// @param drafter a folder or a file
    Map<String, String> answers(LoadedModels models, Path model, Path drafter) {
        var answers = new LinkedHashMap<String, String>();
        kinds().forEach((kind, _) ->
                answers.put(
                        kind,
                        ModelFacts.answer(
                                FITS,
                                () -> models.drafter(choice(kind, model, drafter, List.of())))));
        return answers;
    }

    /// Returns the kinds of drafters that can draft.
    ///
    /// @param models with the target; receives the drafters that fit
    /// @throws OutriderException USAGE if no kind fits, with the reasons, or there is no such file
    List<String> fitting(LoadedModels models, Path model, Path drafter) {
        var source = ShapedPath.of(drafter).map(ShapedPath::source).orElse(drafter);
        if (!Files.exists(source)) {
            throw ErrorCode.USAGE.error(
                    "there is no '%s'%s".formatted(source, NearestName.hint(source)),
                    "Give the folder or the file of a draft model or a head.");
        }
        var answers = answers(models, model, drafter);
        var fitting =
                answers.keySet().stream().filter(kind -> FITS.equals(answers.get(kind))).toList();
        if (fitting.isEmpty()) {
            throw ErrorCode.USAGE.error(
                    "'%s' drafts for '%s' in no way:%n%s"
                            .formatted(drafter, model, ModelFacts.lines(answers)),
                    "Name a draft model with the target's tokenizer, or a head that was trained for it.");
        }
        return fitting;
    }

    /// Returns the kinds of drafters that need only a path, with the key of the path.
    Map<String, String> kinds() {
        var kinds = new LinkedHashMap<String, String>();
        for (var kind : context.plugins().all(ComponentKind.DRAFTER).all()) {
            var required =
                    KeyDescription.of(kind.configType()).stream()
                            .filter(KeyDescription::required)
                            .toList();
            if (required.size() == 1 && required.getFirst().type().equals(PATH)) {
                kinds.put(kind.name(), required.getFirst().name());
            }
        }
        return kinds;
    }

    /// Returns a drafter in the form of a configuration.
    ///
    /// @param kind    one of the [#kinds()]
    /// @param changes of its keys, such as `length=7`
    DrafterChoice choice(String kind, Path model, Path drafter, List<String> changes) {
        return choice(model, "{%s}".formatted(keys(kind, drafter)), changes);
    }

    /// A drafter of a configuration.
    ///
    /// @param drafter YAML of its keys
    DrafterChoice choice(Path model, String drafter, List<String> changes) {
        var yaml = "target: %s%ndrafter: %s%n".formatted(targetYaml(model), drafter);
        return read(yaml, changes.stream().map("drafter."::concat).toList())
                .drafter()
                .orElseThrow();
    }

    /// Returns the YAML of a kind and its path, without braces.
    ///
    /// @param kind one of the [#kinds()]
    String keys(String kind, Path drafter) {
        return used(kind, Objects.requireNonNull(kinds().get(kind)), drafter);
    }

    /// Returns a name for tables: the kind and the file, or the model's name on the hub. It is cut, and then numbered, so that it is short
    /// enough for a [DrafterFamily] and differs from the others.
    static String name(String kind, Path drafter, Collection<String> others) {
        var file = SNAPSHOT.matcher(drafter.toString()).replaceFirst("/$1$2");
        var whole = "%s %s".formatted(kind, Path.of(file).getFileName());
        var name = cut(whole, "");
        for (int number = 2; others.contains(name); number++) {
            name = cut(whole, " " + number);
        }
        return name;
    }

    private static String cut(String name, String end) {
        int most = Math.min(name.length(), DrafterFamily.LONGEST_NAME - end.length());
        return name.substring(0, most).strip() + end;
    }

    private Pair read(String yaml, List<String> changes) {
        return context.parsed(yaml, "--drafter", Pair.class, Change.set(changes)).config();
    }

    private String targetYaml(Path model) {
        return "{%s}".formatted(keys(model));
    }

    /// YAML of a target, without braces.
    String keys(Path model) {
        return used("vector", PATH, model);
    }

    private static String used(String name, String key, Path path) {
        return "use: %s, %s: %s"
                .formatted(name, key, YamlText.quoted(path.toAbsolutePath().toString()));
    }
}
