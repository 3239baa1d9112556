package dev.outrider.experiment.costs;

import dev.outrider.experiment.report.read.RoundLine;
import dev.outrider.experiment.stats.PromptSpeeds;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rounds of a comparison at other costs: what was drafted and accepted stays, what it took does not. Prefill is left out, of plain
/// decoding too.
///
/// @param parts  by side, all rounds together
/// @param speeds by side and prompt
record Repricing(Map<String, Parts> parts, PromptSpeeds speeds) {
    /// One generation.
    private record Generation(String side, String prompt, int repetition) {}

    static Repricing of(List<RoundLine> rounds, Costs costs) {
        var generations = new LinkedHashMap<Generation, Parts>();
        for (RoundLine line : rounds) {
            generations.merge(
                    new Generation(line.side(), line.prompt(), line.repetition()),
                    parts(line.side(), line.round(), costs),
                    Parts::plus);
        }
        var parts = new LinkedHashMap<String, Parts>();
        var prompts = new HashMap<String, Integer>();
        var speeds = new PromptSpeeds();
        generations.forEach((generation, each) -> {
            parts.merge(generation.side(), each, Parts::plus);
            int prompt = prompts.computeIfAbsent(generation.prompt(), _ -> prompts.size());
            if (each.tokens() > 0) {
                speeds.add(generation.side(), prompt, each.tokens() / each.total());
            }
        });
        return new Repricing(parts, speeds);
    }

    private static Parts parts(String side, RoundLine.Round round, Costs costs) {
        var times = round.times();
        double draft =
                Optional.ofNullable(costs.drafters().get(side))
                        .map(each -> each.of(round.depth()))
                        .orElse((double) times.draft());
        double engine =
                Optional.ofNullable(costs.engine().get(side))
                        .map(each -> each.of(round.depth()))
                        .orElse((double) (times.total() - times.draft() - times.score()));
        return new Parts(round.emitted(), draft, costs.target().at(round.nodes() + 1), engine);
    }
}
