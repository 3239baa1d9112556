package dev.outrider.engine.beam;

import dev.outrider.common.Require;
import dev.outrider.engine.beam.BeamSettings.EarlyStopping;
import dev.outrider.engine.decode.Generation.Hypothesis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/// The search itself: from the best successors of every live beam to the next live beams (docs/reference/algorithms.md A16.1). A pure function of
/// its arguments.
///
/// Ties: among candidates of equal score the one of the better beam comes first, then the one with the lower token; among hypotheses of
/// equal score the one found first, and of those found together the better candidate.
///
/// @param settings  options
/// @param endTokens tokens that end a hypothesis; maybe none
/// @param maxTokens length at which every hypothesis ends, at least 1
/// @see "Hugging Face Transformers 4.57, GenerationMixin._beam_search"
public record BeamSearch(BeamSettings settings, Set<Integer> endTokens, int maxTokens) {
    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble(Candidate::score)
                    .reversed()
                    .thenComparingInt(Candidate::rank)
                    .thenComparingInt(Candidate::token);

    public BeamSearch {
        endTokens = Set.copyOf(endTokens);
    }

    /// A successor of a live beam.
    ///
    /// @param rank of the live beam
    private record Candidate(Beam beam, int rank, int token, double score) {
        Beam next() {
            return beam.followedBy(token, score);
        }
    }

    /// Returns the most successors of a beam that a step can need: enough to continue even if the best successors of every beam are
    /// ends.
    int candidates() {
        return Math.max(2, 1 + endTokens.size()) * settings.beams();
    }

    /// The state before the first step.
    ///
    /// @param lastToken of the prompt
    SearchState start(int lastToken) {
        return new SearchState(List.of(Beam.ofPrompt(lastToken)), List.of(), false);
    }

    /// One step.
    ///
    /// @param state      not over
    /// @param successors of every live beam, at least [#candidates] unless fewer are possible
    SearchState advance(SearchState state, List<BestSuccessors> successors) {
        var candidates = best(state.live(), successors);
        if (candidates.isEmpty()) {
            return new SearchState(List.of(), merged(state.finished(), stuck(state.live())), true);
        }
        int length = state.live().getFirst().length() + 1;
        var ended =
                candidates.stream()
                        .limit(settings.beams())
                        .filter(each -> ends(each.token(), length))
                        .map(each -> hypothesis(each.next(), endTokens.contains(each.token())));
        var finished = merged(state.finished(), ended);
        var live =
                candidates.stream()
                        .filter(each -> !ends(each.token(), length))
                        .limit(settings.beams())
                        .map(Candidate::next)
                        .toList();
        return new SearchState(live, finished, live.isEmpty() || settled(live, finished, length));
    }

    /// Returns the result of a search that ends here: its best hypotheses, or the live beams if it has none.
    List<Hypothesis> result(SearchState state) {
        var found =
                state.finished().isEmpty()
                        ? merged(List.of(), stuck(state.live()))
                        : state.finished();
        return found.subList(0, Math.min(settings.nBest(), found.size()));
    }

    private List<Candidate> best(List<Beam> live, List<BestSuccessors> successors) {
        var all = new ArrayList<Candidate>();
        for (int rank = 0; rank < live.size(); rank++) {
            var own = successors.get(rank);
            for (int index = 0; index < own.size(); index++) {
                all.add(
                        new Candidate(
                                live.get(rank), rank, own.tokens()[index], own.scores()[index]));
            }
        }
        all.sort(BEST_FIRST);
        return all.subList(0, Math.min(candidates(), all.size()));
    }

    private boolean ends(int token, int length) {
        return endTokens.contains(token) || length == maxTokens;
    }

    private Stream<Hypothesis> stuck(List<Beam> live) {
        return live.stream().filter(beam -> beam.length() > 0).map(beam -> hypothesis(beam, false));
    }

    private Hypothesis hypothesis(Beam beam, boolean ended) {
        return new Hypothesis(
                beam.tokens(), beam.score(), penalised(beam.score(), beam.length()), ended);
    }

    private double penalised(double score, int length) {
        return score / StrictMath.pow(length, settings.lengthPenalty());
    }

    /// Sorting is stable, so earlier hypotheses stay before later ones of equal score.
    private List<Hypothesis> merged(List<Hypothesis> before, Stream<Hypothesis> more) {
        return Stream.concat(before.stream(), more)
                .sorted(Comparator.comparingDouble(Hypothesis::score).reversed())
                .limit(settings.beams())
                .toList();
    }

    private boolean settled(List<Beam> live, List<Hypothesis> finished, int length) {
        if (finished.size() < settings.beams()) {
            return false;
        }
        boolean anyLength =
                settings.earlyStopping() == EarlyStopping.NEVER && settings.lengthPenalty() > 0;
        double best = penalised(live.getFirst().score(), anyLength ? maxTokens : length);
        return settings.earlyStopping() == EarlyStopping.TRUE || best <= finished.getLast().score();
    }

    /// The state of a search. Immutable.
    ///
    /// @param live     beams that go on, the best first; none where the search is over because none is left
    /// @param finished the best hypotheses so far, at most as many as beams, the best first
    /// @param over     whether the search has ended
    public record SearchState(List<Beam> live, List<Hypothesis> finished, boolean over) {
        public SearchState {
            live = List.copyOf(live);
            finished = List.copyOf(finished);
        }
    }

    /// The best successors of one beam, as many as a search can need of it: falling score, the lower token first among equals.
    /// Impossible successors are not included. The arrays are not copied; do not write to them.
    ///
    /// @param tokens the successors
    /// @param scores the [Beam#score] of the beam that each would make
    record BestSuccessors(int[] tokens, double[] scores) {
        BestSuccessors {
            Require.that(
                    tokens.length == scores.length,
                    "%d tokens with %d scores",
                    tokens.length,
                    scores.length);
        }

        int size() {
            return tokens.length;
        }

        /// Returns the score of the beam that continues with a token; empty if the token is not among the best.
        OptionalDouble score(int token) {
            for (int index = 0; index < tokens.length; index++) {
                if (tokens[index] == token) {
                    return OptionalDouble.of(scores[index]);
                }
            }
            return OptionalDouble.empty();
        }

        @Override
        public String toString() {
            return "BestSuccessors[tokens=%s, scores=%s]"
                    .formatted(Arrays.toString(tokens), Arrays.toString(scores));
        }
    }
}
