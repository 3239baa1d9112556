package dev.outrider.cli;

import dev.outrider.config.KeyDescription;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.tune.Candidate;
import dev.outrider.experiment.tune.DrafterFamily;
import dev.outrider.experiment.tune.Probe;
import dev.outrider.experiment.tune.TuneSettings;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds what `outrider tune` can try: the target is loaded, and every kind of drafter and every shape of draft is asked whether it works for
/// it.
record TuneCandidates(CommandContext context, TuneSettings settings) {
    private static final int NAME = 36;

    /// Drafters without weights that pay on some text (docs/results/comparisons.md).
    private static final List<Candidate> SINGLES =
            List.of(
                    Candidate.single("prompt lookup", "{use: prompt-lookup}"),
                    Candidate.single("prompt lookup, 3", "{use: prompt-lookup, length: 3}"),
                    Candidate.single("suffix automaton", "{use: suffix-automaton, minChance: 0.2}"),
                    Candidate.single(
                            "token recycling", "{use: token-recycling, nodes: 8, depth: 4}"));

    /// Loads the target, if there are prompts for it.
    ///
    /// @throws OutriderException what reading the prompts and loading throw
    LoadedModels target() {
        PassThreads.use(settings.threads());
        var plain = experiment(List.of());
        PromptReader.read(plain.prompts());
        var target = plain.target();
        return LoadedModels.open(target.factory(), target.config());
    }

    /// Asks.
    ///
    /// @param models with the target
    /// @throws OutriderException what reading the prompts throws
    Probe probe(LoadedModels models) {
        var prompts = experiment(List.of()).prompts().limited(0);
        double token = secondsPerToken(models);
        var leftOut = new ArrayList<String>();
        var families = families(models, leftOut);
        var singles = new ArrayList<Candidate>();
        for (var single : SINGLES) {
            var reason = refusal(models, single);
            reason.ifPresent(each -> leftOut.add("%s: %s".formatted(single.name(), each)));
            if (reason.isEmpty()) {
                singles.add(single);
            }
        }
        return new Probe(
                settings,
                PromptReader.read(prompts).size(),
                token,
                families,
                singles,
                settings.formats() ? formats(models) : List.of(),
                leftOut);
    }

    /// Number formats with fewer bits than the file's.
    private static List<String> formats(LoadedModels models) {
        return switch (HeadKeys.precision(Optional.empty(), models.target())) {
            case F32 -> List.of("bf16", "int8", "w8a8");
            case BF16, F16 -> List.of("int8", "w8a8");
            case INT8, INT4, W8A8 -> List.of();
        };
    }

    private double secondsPerToken(LoadedModels models) {
        var config = experiment(List.of());
        try (var plain = LoadedExperiment.around(models.target(), config, context.ticker())) {
            var plan = plain.plan(config);
            return plan.variants()
                    .getFirst()
                    .secondsPerToken(plan.prompts().getFirst(), context.ticker());
        }
    }

    private List<DrafterFamily> families(LoadedModels models, List<String> leftOut) {
        var families = new ArrayList<DrafterFamily>();
        Set<String> names = new HashSet<>();
        for (var drafter : settings.drafters()) {
            var reasons = new LinkedHashMap<String, String>();
            int before = families.size();
            new DrafterFacts(context)
                    .kinds()
                    .forEach((kind, key) -> {
                        var name = name(kind, drafter, names);
                        var keys =
                                "use: %s, %s: %s".formatted(kind, key, Candidate.quoted(drafter));
                        var found =
                                shapes(
                                        models,
                                        kind,
                                        new DrafterFamily(name, keys, List.of(), List.of()),
                                        reasons);
                        found.ifPresent(family -> {
                            names.add(name);
                            families.add(family);
                        });
                    });
            if (families.size() == before) {
                leftOut.add(
                        "%s: no kind of drafter loads it for this target%n%s"
                                .formatted(drafter, lines(reasons)));
            }
        }
        return families;
    }

    /// Kinds with the same reason share a line.
    private static String lines(Map<String, String> reasons) {
        var kinds =
                reasons.entrySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        Map.Entry::getValue,
                                        LinkedHashMap::new,
                                        Collectors.mapping(
                                                Map.Entry::getKey, Collectors.joining(", "))));
        return kinds.entrySet().stream()
                .map(each -> "  %s: %s".formatted(each.getValue(), each.getKey()))
                .collect(Collectors.joining("\n"));
    }

    private static String name(String kind, String drafter, Set<String> taken) {
        var file = String.valueOf(Path.of(drafter).getFileName());
        var name = "%s %s".formatted(kind, file);
        var cut = name.length() > NAME ? name.substring(0, NAME) : name;
        var free = cut;
        for (int number = 2; taken.contains(free); number++) {
            free = "%s #%d".formatted(cut, number);
        }
        return free;
    }

    /// Returns the drafter with its lengths up to the longest chain that works, and the first tree that works; nothing if it does not fit. The
    /// longest chain is loaded first, because most drafters have it and loading takes time.
    private Optional<DrafterFamily> shapes(
            LoadedModels models, String kind, DrafterFamily family, Map<String, String> reasons) {
        var factory = context.plugins().all(ComponentKind.DRAFTER).require(kind);
        var keys =
                KeyDescription.of(factory.configType()).stream()
                        .map(KeyDescription::name)
                        .collect(Collectors.toSet());
        var lengths = keys.contains("length") ? DrafterFamily.LENGTHS : List.<Integer>of();
        int longest = 0;
        for (int length : lengths.reversed()) {
            var reason = refusal(models, family.chain(length));
            if (reason.isEmpty()) {
                longest = length;
                break;
            }
            // A drafter that does not fit fails at every length.
            if (length == lengths.getLast() && refused(models, kind, family, reasons)) {
                return Optional.empty();
            }
        }
        if (lengths.isEmpty() && refused(models, kind, family, reasons)) {
            return Optional.empty();
        }
        int most = longest;
        return Optional.of(
                new DrafterFamily(
                        family.name(),
                        family.keys(),
                        lengths.stream().filter(length -> length <= most).toList(),
                        DrafterFamily.TREES.stream()
                                .filter(_ -> most > 0 && keys.contains("tree"))
                                .filter(widths -> refusal(models, family.tree(widths)).isEmpty())
                                .findFirst()
                                .stream()
                                .toList()));
    }

    private boolean refused(
            LoadedModels models, String kind, DrafterFamily family, Map<String, String> reasons) {
        var reason = refusal(models, family.alone());
        reason.ifPresent(each -> reasons.put(kind, each));
        return reason.isPresent();
    }

    /// Returns the reason why a candidate does not work for the target; nothing if it does.
    private Optional<String> refusal(LoadedModels models, Candidate candidate) {
        try (var own = LoadedModels.around(models.target())) {
            var config = experiment(List.of(candidate));
            LoadedExperiment.check(config);
            own.drafter(config.variants().getFirst().drafter());
            return Optional.empty();
        } catch (OutriderException e) {
            return Optional.of("%s: %s".formatted(e.code(), e.problem()));
        }
    }

    private ExperimentConfig experiment(List<Candidate> candidates) {
        var prompts =
                "prompts: {file: %s, limit: 1}%n".formatted(Candidate.quoted(settings.prompts()));
        var yaml = settings.yaml("tune", "", prompts, settings.maxTokens(), candidates);
        return context.parsed(yaml, "tune", ExperimentConfig.class, List.of()).config();
    }
}
