package dev.outrider.cli;

import static dev.outrider.nn.network.DecoderMemory.mebibytes;

import dev.outrider.common.FailureReason;
import dev.outrider.common.Sha256;
import dev.outrider.common.ShapedPath;
import dev.outrider.config.YamlText;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.PromptText;
import dev.outrider.experiment.tune.Candidate;
import dev.outrider.experiment.tune.DrafterFamily;
import dev.outrider.experiment.tune.Probe;
import dev.outrider.experiment.tune.TuneSettings;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Drafter;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the candidates of `outrider tune`: tries for every kind of drafter and every shape of draft whether it works for the
/// loaded target.
final class TuneCandidates {
    /// Drafters without weights that pay off on some text (docs/results/comparisons.md).
    private static final List<Candidate> WITHOUT_WEIGHTS =
            List.of(
                    Candidate.single("prompt lookup", "{use: prompt-lookup}"),
                    Candidate.single("prompt lookup, 3", "{use: prompt-lookup, length: 3}"),
                    Candidate.single("suffix automaton", "{use: suffix-automaton, minChance: 0.2}"),
                    Candidate.single(
                            "token recycling", "{use: token-recycling, nodes: 8, depth: 4}"));

    /// The files of a folder that loading reads.
    private static final Pattern READ =
            Pattern.compile(
                    ".*\\.safetensors|model\\.safetensors\\.index\\.json|((generation|tokenizer)_)?config\\.json"
                            + "|(tokenizer|vocab)\\.json|spiece\\.model|source\\.spm");

    private final CommandContext context;
    private final TuneSettings settings;
    private final LoadedModels models;
    private final DrafterFacts facts;
    private final Path target;
    private final List<DrafterFamily> families = new ArrayList<>();
    private final List<Candidate> withoutWeights = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final SortedMap<String, String> digests = new TreeMap<>();

    /// Bytes that further drafters may use: a comparison loads all of them.
    private long room;

    /// @param models with the target
    /// @param room   bytes for drafters beside it
    TuneCandidates(CommandContext context, TuneSettings settings, LoadedModels models, long room) {
        this.room = room;
        this.context = context;
        this.settings = settings;
        this.models = models;
        this.facts = new DrafterFacts(context);
        this.target = Path.of(settings.target());
    }

    /// Tries all of them.
    ///
    /// @param digested whether the question has the digests of the models, which requires reading all of them
    /// @throws dev.outrider.spi.error.OutriderException as decoding a few tokens throws it
    Probe probe(List<PromptText> prompts, boolean digested) {
        if (digested) {
            digests.put("target", models.target().description().digest());
            settings.drafters().forEach(each -> digests.put(each, digest(Path.of(each))));
        }
        settings.drafters().forEach(this::add);
        try (var own = LoadedModels.around(models.target())) {
            for (var each : WITHOUT_WEIGHTS) {
                var answer = answer(own, each);
                if (answer.equals(DrafterFacts.FITS)) {
                    withoutWeights.add(each);
                } else {
                    leftOut.add("%s: %s".formatted(each.name(), answer));
                }
            }
        }
        var host = context.host();
        var outrider = "%s %s".formatted(host.version(), host.git().shown());
        var question = new Probe.Question(settings, outrider, prompts, digests);
        var formats = settings.formats() ? formats() : List.<String>of();
        return new Probe(question, secondsPerToken(), families, withoutWeights, formats, leftOut);
    }

    /// Returns number formats with fewer bits than the file's, and that of integer products.
    private List<String> formats() {
        return switch (HeadKeys.precision(Optional.empty(), models.target())) {
            case F32 -> List.of("bf16", "int8", "w8a8");
            case BF16, F16 -> List.of("int8", "w8a8");
            case INT8, INT4 -> List.of("w8a8");
            case W8A8 -> List.of();
        };
    }

    private double secondsPerToken() {
        var prompts =
                "prompts: {file: %s, limit: 1}%n".formatted(YamlText.quoted(settings.prompts()));
        var yaml = settings.yaml("tune", "", prompts, settings.maxTokens(), List.of());
        var config = context.parsed(yaml, "tune", ExperimentConfig.class, List.of()).config();
        try (var plain = LoadedExperiment.around(models.target(), config, context.ticker())) {
            var plan = plain.plan(config);
            return plan.variants()
                    .getFirst()
                    .probe(plan.prompts().getFirst(), context.ticker())
                    .secondsPerToken();
        }
    }

    private void add(String drafter) {
        context.err().println("Asking every kind of drafter to load '" + drafter + "' ...");
        var path = Path.of(drafter);
        long needed = bytes(path);
        if (needed > room) {
            leftOut.add(
                    "%s: its weights take %s, but %s are left beside the target and the drafters before it"
                            .formatted(drafter, mebibytes(needed), mebibytes(room)));
            return;
        }
        try (var own = LoadedModels.around(models.target())) {
            var answers = facts.answers(own, target, path);
            if (!answers.containsValue(DrafterFacts.FITS)) {
                leftOut.add(
                        "%s: no kind of drafter loads it for this target%s%n%s"
                                .formatted(drafter, shapeHint(path), ModelFacts.lines(answers)));
            }
            room -= answers.containsValue(DrafterFacts.FITS) ? needed : 0;
            answers.forEach((kind, answer) -> {
                if (answer.equals(DrafterFacts.FITS)) {
                    add(own, kind, path);
                }
            });
        }
    }

    /// Returns a hint for messages: the path of a head for a target that was set into a larger shape; empty for any other target.
    private String shapeHint(Path drafter) {
        return ShapedPath.of(target)
                .filter(_ -> ShapedPath.of(drafter).isEmpty())
                .map(shaped ->
                        "; a head needs the target's shape: --drafter %s@%s"
                                .formatted(drafter, shaped.shape()))
                .orElse("");
    }

    /// Returns the bytes of the weights of a path, which is about their size in memory.
    static long bytes(Path path) {
        boolean folder = Files.isDirectory(ModelPaths.resolved(path));
        return files(path).stream()
                .filter(each -> !folder || each.getName().endsWith(".safetensors"))
                .mapToLong(File::length)
                .sum();
    }

    /// Returns a digest of the files of a path.
    private String digest(Path path) {
        context.err().println("Reading '" + path + "' ...");
        var hash = new Sha256();
        for (var file : files(path)) {
            hash.add("%s %d ".formatted(file.getName(), file.length()));
            FailureReason.reading(path, () -> hash.add(file.toPath()));
        }
        return hash.hex();
    }

    private static List<File> files(Path path) {
        var model = ModelPaths.resolved(path).toFile();
        var files =
                Optional.ofNullable(model.listFiles((_, name) -> READ.matcher(name).matches()))
                        .orElse(new File[] {model});
        return Stream.of(files).filter(File::isFile).sorted().toList();
    }

    /// Adds a drafter with its lengths up to the longest chain that works, and the first tree that works.
    private void add(LoadedModels own, String kind, Path path) {
        var others = families.stream().map(DrafterFamily::name).toList();
        var name = DrafterFacts.name(kind, path, others);
        var keys = facts.keys(kind, path);
        var family = new DrafterFamily(name, keys, List.of(), List.of());
        var longest = DrafterFamily.LENGTHS.reversed().stream();
        int most = longest.filter(length -> fits(own, family.chain(length))).findFirst().orElse(0);
        var lengths = DrafterFamily.LENGTHS.stream().filter(length -> length <= most).toList();
        var trees =
                DrafterFamily.TREES.stream()
                        .filter(widths -> most > 0 && fits(own, family.tree(widths)))
                        .limit(1)
                        .toList();
        families.add(new DrafterFamily(name, keys, lengths, trees));
    }

    private boolean fits(LoadedModels own, Candidate candidate) {
        return answer(own, candidate).equals(DrafterFacts.FITS);
    }

    private String answer(LoadedModels own, Candidate candidate) {
        return ModelFacts.answer(DrafterFacts.FITS, () -> load(own, candidate.drafter()));
    }

    private Drafter load(LoadedModels own, String drafter) {
        return own.drafter(facts.choice(target, drafter, List.of()));
    }
}
