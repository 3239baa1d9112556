package dev.outrider.experiment.lab;

import dev.outrider.engine.model.CostCurve.Reach;
import dev.outrider.experiment.lab.LabReport.Limit;
import dev.outrider.experiment.lab.Recording.RecordedVariant;
import dev.outrider.experiment.lab.Scenario.Kept;
import dev.outrider.experiment.table.Table.Term;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The limits of a variant: the highest speedup of all scenarios, and the highest speedup if one part alone were ideal and the best draft
/// were chosen again.
final class Limits {
    private Limits() {}

    /// @param all     everything the recording answers, for every rule
    /// @param replays of the variant
    /// @param prices  of the place
    /// @return the speedup as it is, then the others, the strongest limit first; empty without answers
    static List<Limit> of(List<Scenario> all, Replay.Replays replays, Pricing.Prices prices) {
        var drafted =
                all.stream()
                        .filter(question -> !question.bound())
                        .map(question -> priced(replays, question))
                        .filter(each -> known(each, prices))
                        .toList();
        if (drafted.isEmpty()) {
            return List.of();
        }
        var limits = new ArrayList<Limit>();
        var right = drafted.stream().map(each -> priced(replays, each.question().right())).toList();
        limits.add(limit("drafter", right, prices));
        limits.add(limit("drafts", drafted, prices.withFreeDrafts()));
        limits.add(limit("rows", drafted, prices.withFreeRows()));
        limits.add(limit("engine", drafted, prices.withFreeEngine()));
        var chains =
                drafted.stream().filter(each -> each.question().kept() != Kept.RANKED).toList();
        limits.add(limit("rule", chains, prices));
        var trees =
                all.stream()
                        .filter(question -> question.kept() == Kept.BOUND)
                        .map(question -> priced(replays, question))
                        .filter(each -> known(each, prices))
                        .toList();
        limits.add(limit("tree", trees, prices));
        limits.removeIf(each -> each.speedup() == 0);
        limits.sort((one, other) -> Double.compare(other.speedup(), one.speedup()));
        limits.addFirst(limit("nothing", drafted, prices));
        return limits;
    }

    /// @param replays one for each text
    private record Priced(Scenario question, List<Replay> replays) {}

    private static Priced priced(Replay.Replays replays, Scenario question) {
        return new Priced(question, replays.of(question));
    }

    private static boolean known(Priced priced, Pricing.Prices prices) {
        return Replay.Extrapolation.of(priced.replays(), prices.target()) != Reach.BEYOND;
    }

    /// Returns the best of some answers; 0 if there is none.
    ///
    /// @param what the part that is ideal, as `terms.properties` has it
    private static Limit limit(String what, List<Priced> answers, Pricing.Prices prices) {
        var term = Term.of("limit", what);
        var speedups =
                answers.stream().mapToDouble(each -> Pricing.speedup(prices, each.replays()));
        return new Limit(term.heading(), term.definition(), speedups.max().orElse(0));
    }

    /// The questions that a recording does not answer, each with the command that answers it.
    static final class Unanswered {
        private Unanswered() {}

        /// @param questions that the recording answers
        static List<String> of(
                RecordedVariant variant, Asked asked, List<Scenario> questions, Path folder) {
            var notes = new ArrayList<String>();
            String config = folder.resolve("config.yaml").toString();
            variant.variant()
                    .refusal()
                    .ifPresent(why ->
                            notes.add(
                                    "%s; 'outrider bench %s' measures it as it is."
                                            .formatted(why, config)));
            if (variant.depth() == 0) {
                if (notes.isEmpty()) {
                    notes.add(
                            "anything: no drafts of it were recorded; 'outrider bench %s --record'."
                                    .formatted(config));
                }
                return notes;
            }
            for (var rule : asked.rules()) {
                if (questions.stream().noneMatch(question -> question.under(rule))) {
                    notes.add(
                            "the rule '%s': what it keeps of these drafts does not follow from what was recorded; 'outrider bench' of a variant with that rule."
                                    .formatted(rule));
                }
            }
            notes.add(
                    "drafts deeper than %d, another temperature or another drafter: 'outrider bench %s --record' with these settings."
                            .formatted(variant.depth(), config));
            if (variant.drawn() && variant.variant().temperature() > 0) {
                notes.add(
                        "what rules keep of drawn trees, and rules that couple draft and target by their noise: guesses beside the text matter; 'outrider predict' or 'outrider bench' of a variant with that tree.");
            } else {
                notes.add(
                        "other guesses than those recorded, drawn ones and trees of them among them: 'outrider bench --record' of a variant that makes them.");
            }
            return notes;
        }
    }
}
