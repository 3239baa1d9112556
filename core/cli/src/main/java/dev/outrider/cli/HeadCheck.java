package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.config.KeyDescription;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.PromptEncoder;
import dev.outrider.experiment.verify.OffsetAgreement;
import dev.outrider.experiment.verify.OffsetAgreement.Alignment;
import dev.outrider.experiment.verify.OffsetCheck;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks whether a drafter is read as it was trained, for `outrider doctor --head`.
record HeadCheck(CommandContext context, DrafterFacts facts) {
    private static final int PROMPTS = 6;
    private static final int TOKENS = 48;

    /// Measures the agreement and prints it.
    ///
    /// @param kind    of drafter; if empty, the one that loads the head
    /// @param changes of the drafter's keys
    /// @return the exit code
    int run(String head, String target, Optional<String> kind, Path prompts, List<String> changes) {
        var model = context.local(target);
        var path = context.local(head);
        try (var models = facts.target(model)) {
            var name = kind.orElseGet(() -> onlyOne(path, facts.answers(models, model, path)));
            var source = new PromptSource.FromFile(prompts, List.of(), PROMPTS);
            var texts = new PromptEncoder(models.target(), TOKENS).encode(source);
            var choice = facts.choice(name, model, path, changes);
            Function<Boolean, OffsetAgreement> atAnchor =
                    setting ->
                            measured(
                                    models,
                                    facts.choice(name, model, path, with(changes, setting)),
                                    texts);
            var report =
                    new HeadReport(
                            name,
                            keys(choice),
                            measured(models, choice, texts),
                            anchors(choice, atAnchor));
            context.out().print(report.text());
            return report.right() ? ExitCode.OK : ExitCode.FAILURE;
        }
    }

    private static OffsetAgreement measured(
            LoadedModels models, DrafterChoice choice, List<Prompt> texts) {
        return new OffsetCheck(models.target(), models.drafter(choice), TOKENS).after(texts);
    }

    /// Returns the agreement of the drafter under both settings of the anchor, if it has such a key. A setting that it refuses, for
    /// example because of a length that only the other setting has slots for, is left out.
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
        throw ErrorCode.USAGE.error(
                fitting.isEmpty()
                        ? "no kind of drafter loads '%s' for this target:%n%s"
                                .formatted(head, ModelFacts.lines(answers))
                        : "'%s' can be loaded as %s".formatted(head, String.join(" or ", fitting)),
                fitting.isEmpty()
                        ? "Give the target that it was trained for; --drafter NAME loads it as one kind."
                        : "Say which with --drafter NAME.");
    }

    /// The report of `outrider doctor --head`: agreement by guess and offset, and settings that are probably wrong.
    ///
    /// @param drafter  name of its kind
    /// @param keys     of its configuration: only these are reported as mistakes
    /// @param measured agreement with the given configuration
    /// @param anchors  the same with [#ANCHOR] set; empty if there is no such key
    record HeadReport(
            String drafter,
            Set<String> keys,
            OffsetAgreement measured,
            Map<Boolean, OffsetAgreement> anchors) {
        /// The key that sets whether the anchor's slot guesses.
        static final String ANCHOR = "sampleFromAnchor";

        /// Returns whether the agreement shows no mistake.
        boolean right() {
            return measured.alignment() == Alignment.RIGHT && betterAnchor().isEmpty();
        }

        /// A table and a verdict.
        String text() {
            var table = Columns.of("guess", "counted", "one before", "at its place", "one after");
            for (int slot = 0; slot < measured.slots(); slot++) {
                int each = slot;
                table.row(
                        row(
                                Integer.toString(slot + 1),
                                measured.counted(slot),
                                offset -> measured.agreement(each, offset)));
            }
            table.row(row("all", measured.counted(), measured::agreement));
            return "%sAgreement with the target's greedy text, in %%; guesses that know nothing of their place would agree in %s.%n%s%n%s%n"
                    .formatted(
                            table.text(),
                            percent(measured.chance()),
                            anchors.entrySet().stream()
                                    .map(each ->
                                            "With %s: %s it is %s at its place.%n"
                                                    .formatted(
                                                            ANCHOR,
                                                            each.getKey(),
                                                            percent(each.getValue().agreement(0))))
                                    .collect(Collectors.joining()),
                            verdict());
        }

        private static String[] row(String label, int counted, IntToDoubleFunction agreement) {
            return Stream.concat(
                            Stream.of(label, Integer.toString(counted)),
                            OffsetAgreement.OFFSETS.stream()
                                    .map(offset -> percent(agreement.applyAsDouble(offset))))
                    .toArray(String[]::new);
        }

        private String verdict() {
            var better = betterAnchor();
            return switch (measured.alignment()) {
                case RIGHT ->
                        better.isEmpty()
                                ? "right: '%s' guesses the tokens of its places%s"
                                        .formatted(drafter, unseen())
                                : "misread: guesses of '%s' lean on the tokens before them; %s"
                                        .formatted(drafter, anchor(better.get()));
                case ONE_BEFORE ->
                        "one off: guess k of '%s' is the target's token k - 1; %s"
                                .formatted(drafter, anchor(false));
                case ONE_AFTER ->
                        "one off: guess k of '%s' is the target's token k + 1; %s"
                                .formatted(drafter, anchor(true));
                case CHANCE ->
                        "at chance: '%s' knows nothing of what the target writes; %s"
                                .formatted(
                                        drafter, better.map(this::anchor).orElseGet(this::others));
            };
        }

        /// Returns the setting with correct guesses that agree clearly more often. A Markov head guesses from the token before it
        /// even in a shifted slot, so the offsets alone do not show the mistake.
        private Optional<Boolean> betterAnchor() {
            return anchors.entrySet().stream()
                    .filter(each -> each.getValue().alignment() == Alignment.RIGHT)
                    .filter(each -> measured.clearlyBelow(each.getValue()))
                    .map(Map.Entry::getKey)
                    .findFirst();
        }

        private String anchor(boolean needed) {
            return keys.contains(ANCHOR)
                    ? "likely it is read with %s: %s and was trained with %s. Set %s: %s."
                            .formatted(ANCHOR, !needed, needed, ANCHOR, needed)
                    : "likely its first guess is read from a neighbouring row.";
        }

        private String others() {
            return "likely %sit was trained for another target, or with another tokenizer."
                    .formatted(settings().isEmpty() ? "" : settings() + " is wrong, ");
        }

        /// Returns a note on settings whose wrong value lowers the agreement without moving the guesses.
        private String unseen() {
            return settings().isEmpty()
                    ? ""
                    : "; a wrong %s would lower the agreement and not move it: hold it against what training reported"
                            .formatted(settings());
        }

        private String settings() {
            return Stream.of("capturedLayers", "maskToken")
                    .filter(keys::contains)
                    .collect(Collectors.joining(" or "));
        }

        private static String percent(double share) {
            return Console.format("%.1f", 100 * share);
        }
    }
}
