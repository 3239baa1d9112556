package dev.outrider.cli;

import dev.outrider.config.KeyDescription;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.PromptEncoder;
import dev.outrider.experiment.verify.OffsetAgreement;
import dev.outrider.experiment.verify.OffsetCheck;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Whether a drafter is read as it was trained: what `outrider doctor --head` does.
final class HeadCheck {
    private static final int PROMPTS = 6;
    private static final int TOKENS = 48;

    private final Console console;
    private final HubModels hub;
    private final DrafterFacts drafters;

    @Inject
    HeadCheck(Console console, HubModels hub, DrafterFacts drafters) {
        this.console = console;
        this.hub = hub;
        this.drafters = drafters;
    }

    /// Names that `--drafter` may have.
    Set<String> kinds() {
        return drafters.kinds().keySet();
    }

    /// Measures and prints.
    ///
    /// @param kind    of drafter; the one that loads the head when it is not given
    /// @param changes of the drafter's keys
    /// @return the exit code
    int run(String head, String target, Optional<String> kind, Path prompts, List<String> changes) {
        var model = hub.local(target);
        var path = hub.local(head);
        try (var models = drafters.target(model)) {
            var name = kind.orElseGet(() -> onlyOne(path, drafters.answers(models, model, path)));
            var source = new PromptSource.FromFile(prompts, List.of(), PROMPTS);
            var texts = new PromptEncoder(models.target(), TOKENS).encode(source);
            var choice = drafters.choice(name, model, path, changes);
            var report =
                    new HeadReport(
                            name,
                            keys(choice),
                            measured(models, choice, texts),
                            anchors(
                                    choice,
                                    setting ->
                                            measured(
                                                    models,
                                                    drafters.choice(
                                                            name,
                                                            model,
                                                            path,
                                                            with(changes, setting)),
                                                    texts)));
            console.out().print(report.text());
            return report.right() ? ExitCode.OK : ExitCode.FAILURE;
        }
    }

    private static OffsetAgreement measured(
            LoadedModels models, DrafterChoice choice, List<Prompt> texts) {
        return new OffsetCheck(models.target(), models.drafter(choice), TOKENS).after(texts);
    }

    /// The drafter under both settings of the anchor, where it has such a key. A setting that it refuses, as with a length that only the
    /// other one has slots for, is left out.
    private static Map<Boolean, OffsetAgreement> anchors(
            DrafterChoice choice, Function<Boolean, OffsetAgreement> measure) {
        var both = new TreeMap<Boolean, OffsetAgreement>();
        if (keys(choice).contains(HeadReport.ANCHOR)) {
            for (boolean setting : List.of(false, true)) {
                try {
                    both.put(setting, measure.apply(setting));
                } catch (OutriderException _) {
                    both.remove(setting);
                }
            }
        }
        return both;
    }

    private static List<String> with(List<String> changes, boolean setting) {
        return Stream.concat(changes.stream(), Stream.of(HeadReport.ANCHOR + "=" + setting))
                .toList();
    }

    private static Set<String> keys(DrafterChoice choice) {
        return KeyDescription.of(choice.factory().configType()).stream()
                .map(KeyDescription::name)
                .collect(Collectors.toSet());
    }

    private static String onlyOne(Path head, Map<String, String> answers) {
        var fitting =
                answers.entrySet().stream()
                        .filter(each -> each.getValue().equals(DrafterFacts.FITS))
                        .map(Map.Entry::getKey)
                        .toList();
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        throw new OutriderException(
                ErrorCode.USAGE,
                fitting.isEmpty()
                        ? "no kind of drafter loads '%s' for this target".formatted(head)
                        : "'%s' can be loaded as %s".formatted(head, String.join(" or ", fitting)),
                fitting.isEmpty()
                        ? "'outrider model show TARGET --drafter PATH' says why, kind by kind; --drafter NAME loads it as one."
                        : "Say which with --drafter NAME.");
    }
}
