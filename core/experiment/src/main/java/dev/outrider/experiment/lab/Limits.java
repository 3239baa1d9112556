package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.CostCurve.Reach;
import dev.outrider.experiment.lab.LabReport.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What keeps a variant from being faster: the highest speedup of everything that was asked, and what it would be if one thing alone were
/// ideal and the best draft were chosen anew.
final class Limits {
    private Limits() {}

    /// @param all     everything the recording answers, whatever rule it is
    /// @param replays of the side
    /// @param prices  of the place
    /// @return what is, and then the one that limits most before the others; empty without answers
    static List<Limit> of(List<Question> all, Replays replays, Prices prices) {
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
        limits.add(
                new Limit(
                        "drafter",
                        "every guess right",
                        best(
                                drafted.stream()
                                        .map(each ->
                                                priced(
                                                        replays,
                                                        new Question.Right(each.question()))),
                                prices)));
        limits.add(
                new Limit(
                        "drafts' cost",
                        "drafts that take no time",
                        best(drafted.stream(), prices.withFreeDrafts())));
        limits.add(
                new Limit(
                        "rows' cost",
                        "passes of many rows as cheap as of one",
                        best(drafted.stream(), prices.withFreeRows())));
        limits.add(
                new Limit(
                        "engine's cost",
                        "an engine that takes no time",
                        best(drafted.stream(), prices.withFreeEngine())));
        var chains =
                drafted.stream()
                        .filter(each -> !(each.question() instanceof Question.Ranked))
                        .toList();
        if (!chains.isEmpty()) {
            limits.add(
                    new Limit(
                            "rule",
                            "the most that any rule keeps of a chain",
                            best(chains.stream(), prices)));
        }
        var trees =
                all.stream()
                        .filter(Question.Bound.class::isInstance)
                        .map(question -> priced(replays, question))
                        .filter(each -> known(each, prices))
                        .toList();
        if (!trees.isEmpty()) {
            limits.add(
                    new Limit(
                            "tree",
                            "the most that any rule keeps of the trees that were asked about",
                            best(trees.stream(), prices)));
        }
        limits.sort((one, other) -> Double.compare(other.speedup(), one.speedup()));
        limits.addFirst(new Limit("nothing", "as it is", best(drafted.stream(), prices)));
        return limits;
    }

    /// @param replays one for each text
    private record Priced(Question question, List<Replay> replays) {}

    private static Priced priced(Replays replays, Question question) {
        return new Priced(question, replays.of(question));
    }

    private static boolean known(Priced priced, Prices prices) {
        return Reaches.of(priced.replays(), prices.target()) != Reach.BEYOND;
    }

    private static double best(Stream<Priced> answers, Prices prices) {
        return answers.mapToDouble(each -> Pricing.speedup(prices, each.replays())).max().orElse(0);
    }
}
