package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Hypotheses.Measured;
import dev.outrider.audit.Hypotheses.Written;
import dev.outrider.audit.Oracle.Place;
import dev.outrider.common.Require;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Compares a server's answers with plain decoding of given weights: tokens of temperature 0 by their logits, sampled ones by one test
/// martingale (docs/reference/algorithms.md C7). Confined to one thread.
public final class Audit {
    private static final double NAMED = .33;
    private static final double VALUES = .05;
    private static final double ROUNDS = .27;
    private static final double UNNAMED = .35;
    private static final double EXCLUDED = Math.log(1e-3);
    private static final int MAX_NOTES = 5;
    private static final double SHOWN = .01;

    private final Settings settings;
    private final Setting correct;
    private final Oracle oracle;
    private final Tokenizer tokenizer;
    private final Hypotheses faults;
    private final List<Measured> table;
    private final Plan plan;
    private final EProcess evidence;
    private final Naming naming;
    private final Linter linter;
    private final List<Note> notes = new ArrayList<>();
    private final boolean greedy;
    private long answers;
    private long tokens;
    private long decidedAt;
    private long guessed;
    private long unclear;
    private long edges;
    private long impossible;
    private long ties;
    private long different;
    private long proved;
    private boolean excused;
    private double largestGap;
    private double largestTie;

    /// The settings of an audit.
    ///
    /// @param requests most requests
    /// @param alpha    probability of a false alarm, for any number of interim analyses
    /// @param gap      logits within which two tokens are a tie
    /// @param length   longest draft of the server
    /// @param pairs    whether the table has two faults at once
    /// @param ends     whether a text that stopped ended with an end-of-sequence token
    /// @param most     tokens of an answer that is cut
    /// @param seed     of requests and of the test's own draws
    public record Settings(
            int requests,
            double alpha,
            double gap,
            int length,
            boolean pairs,
            boolean ends,
            int most,
            long seed) {
        public Settings {
            Require.atLeast("requests", requests, 1);
            Require.that(alpha > 0 && alpha < 1, "alpha %s must be between 0 and 1", alpha);
            Require.that(gap >= 0, "gap %s must be 0 or more", gap);
            Require.between("draft-length", length, 1, 64);
        }
    }

    /// Weights beside the target's.
    public record Weights(String name, TargetModel model) {}

    /// The faults that the audit can find, computed before it starts.
    ///
    /// @param faults       the table
    /// @param tokens       mean length of an answer
    public record Plan(double alpha, int requests, double tokens, List<Planned> faults) {}

    /// A fault of the table.
    ///
    /// @param nats     divergence of a token
    /// @param tokens   expected to find it
    /// @param requests expected to find it
    public record Planned(String name, double nats, long tokens, long requests) {}

    /// A place with a large part of the evidence.
    ///
    /// @param token    in the vocabulary's spelling
    /// @param position tokens before it
    /// @param p        its probability in plain decoding; at temperature 0 not read
    /// @param gain     its part of the evidence, in nats; at temperature 0 the gap of its logit
    public record Note(
            String prompt, long answer, int position, String token, double p, double gain) {}

    /// An explanation.
    ///
    /// @param share   of the evidence
    /// @param log     of its likelihood ratio
    /// @param named   whether it is a fault of the table, or two
    /// @param alike   names of all faults and pairs that give these answers the same probability
    public record Explanation(
            String name, double share, double log, boolean named, List<String> alike) {}

    /// The result at temperature 0.
    ///
    /// @param gap     largest distance of a token's logit from the best
    /// @param ties    tokens that are not the best and within the gap that is a tie
    /// @param wrong   tokens that are not the best, and no ties
    /// @param largest gap of a tie
    public record Greedy(double gap, long ties, long wrong, double largest) {}

    /// Answers of a verdict.
    public enum Verdict {
        CONSISTENT,
        DIFFERENT,
        CANNOT_TELL
    }

    /// The evidence against plain decoding.
    ///
    /// @param log        natural logarithm of the evidence
    /// @param alpha      the evidence decides at its inverse
    /// @param decidedAt  tokens at which it was decided; 0 if it was not
    /// @param detectable divergence of a token that is expected to be found, in nats; 0 if there is none
    /// @param impossible tokens that plain decoding never writes
    /// @param edges      tokens at the edge of a truncation, which did not count
    public record Evidence(
            double log,
            double alpha,
            long decidedAt,
            double detectable,
            long impossible,
            long edges) {}

    /// The result of an audit.
    ///
    /// @param reason       of the verdict
    /// @param greedy       of an audit at temperature 0
    /// @param excluded     faults of the table that these answers refute
    /// @param open         those that they do not
    public record Outcome(
            Verdict verdict,
            String reason,
            long answers,
            long tokens,
            Evidence evidence,
            Optional<Greedy> greedy,
            List<Explanation> explanations,
            List<String> excluded,
            List<String> open,
            List<Note> notes,
            List<String> findings) {}

    /// @param target     the model whose plain decoding is correct; all models stay the caller's
    /// @param correct    its sampling
    /// @param processors of its logits
    /// @param others     other weights that the server might have
    /// @param drafter    a model that the server might draft with
    /// @param texts      of our own, from plain decoding
    /// @param interrupted ends the search for pairs
    Audit(
            TargetModel target,
            Setting correct,
            ProcessorChain processors,
            List<Weights> others,
            Optional<TargetModel> drafter,
            List<Written> texts,
            Settings settings,
            BooleanSupplier interrupted) {
        this.settings = settings;
        this.correct = correct;
        this.tokenizer = target.tokenizer();
        var models = new ArrayList<>(List.of(target));
        others.forEach(each -> models.add(each.model()));
        drafter.ifPresent(models::add);
        this.oracle = new Oracle(models, processors);
        int index = drafter.isPresent() ? models.size() - 1 : 0;
        var drafts =
                index == 0
                        ? List.<Setting>of()
                        : List.copyOf(Hypotheses.drafts(correct, index).values());
        this.linter = new Linter(correct, drafts);
        var names = others.stream().map(Weights::name).toList();
        this.greedy = correct.policy().greedy();
        int vocabulary = oracle.vocabulary();
        this.faults = Hypotheses.of(correct, names, index, settings, vocabulary);
        this.table = greedy ? List.of() : faults.measured(oracle, correct, texts);
        var random = new SplittableRandom(settings.seed());
        var unnamed =
                greedy
                        ? List.<Alternative>of()
                        : Omnibus.all(vocabulary, drafts.stream().limit(1).toList(), random);
        double[] weights = weights(unnamed.size());
        this.plan = plan(texts, weights);
        var all = new ArrayList<Alternative>(unnamed);
        all.addAll(0, table.stream().map(each -> each.entry().hypothesis()).toList());
        this.evidence = new EProcess(all, weights);
        this.naming = new Naming(oracle, correct, faults, settings, table, weights, interrupted);
    }

    private int group(int index) {
        if (index >= table.size()) {
            return 3;
        }
        var entry = table.get(index).entry();
        return entry.fault().exact() ? faults.parts().contains(entry.change()) ? 0 : 1 : 2;
    }

    private double[] weights(int unnamed) {
        double[] shares = {NAMED, VALUES, ROUNDS, UNNAMED};
        var groups = IntStream.range(0, table.size() + unnamed).map(this::group).toArray();
        return Arrays.stream(groups)
                .mapToDouble(group ->
                        shares[group] / Arrays.stream(groups).filter(each -> each == group).count())
                .toArray();
    }

    private Plan plan(List<Written> texts, double[] weights) {
        var lengths = texts.stream().mapToInt(each -> each.text().length);
        double mean = Math.max(1, lengths.average().orElse(settings.most()));
        var planned = new ArrayList<Planned>();
        for (int index = 0; index < table.size(); index++) {
            var each = table.get(index);
            double needed = -Math.log(settings.alpha() * weights[index]) / each.nats();
            planned.add(
                    new Planned(
                            each.name(),
                            each.nats(),
                            (long) Math.ceil(needed),
                            (long) Math.ceil(needed / mean)));
        }
        return new Plan(settings.alpha(), settings.requests(), mean, planned);
    }

    /// Returns the faults that can be found.
    public Plan plan() {
        return plan;
    }

    /// Reads the fields of a file's line beside its answer.
    void lint(JsonNode line) {
        linter.trace(line);
    }

    /// Takes an answer.
    public void take(Answer answer) {
        int[] text = text(answer);
        int[] prompt = answer.read().stream().mapToInt(each -> each).toArray();
        answers++;
        guessed += answer.guessed() ? 1 : 0;
        unclear += unclear(answer) ? 1 : 0;
        excused = false;
        evidence.begin(answer.read().hashCode());
        double[] before = evidence.scores().toArray();
        oracle.read(
                prompt,
                List.of(),
                text,
                place -> {
                    if (greedy) {
                        greedy(answer, place, text);
                    } else {
                        tokens++;
                        sampled(answer, place);
                    }
                });
        linter.end(answer);
        double[] gains = evidence.scores().toArray();
        Arrays.setAll(gains, index -> gains[index] - before[index]);
        naming.take(prompt, text, gains);
        if (decidedAt == 0
                && guessed + unclear == 0
                && evidence.log() >= -Math.log(settings.alpha())) {
            decidedAt = tokens;
        }
    }

    /// Returns whether more answers would change neither verdict nor explanation: it is decided, and no other explanation is
    /// expected to become the best; or it cannot be decided any more.
    public boolean settled() {
        if (greedy) {
            return proved > 0 || different > 0 && guessed == answers;
        }
        return decidedAt > 0 ? naming.decided(settings.requests()) : guessed + unclear > 0;
    }

    /// Returns the ids of a text, with the token that ended it, which some servers leave out.
    private int[] text(Answer answer) {
        var ids = answer.ids().stream().mapToInt(each -> each);
        int[] ends = oracle.ends();
        boolean unsaid = open(answer) && Answer.ENDED.contains(answer.finish());
        return (unsaid ? IntStream.concat(ids, IntStream.of(ends[0])) : ids).toArray();
    }

    /// Returns whether the end of the text is unknown from its ids.
    private boolean open(Answer answer) {
        int[] ends = oracle.ends();
        return settings.ends()
                && ends.length > 0
                && (answer.ids().isEmpty() || oracle.merged(answer.ids().getLast()) != ends[0]);
    }

    private boolean unclear(Answer answer) {
        return open(answer)
                && answer.ids().size() < settings.most()
                && !Answer.ENDED.contains(answer.finish())
                && !Answer.CUT.contains(answer.finish());
    }

    private void greedy(Answer answer, Place place, int[] text) {
        double gap = place.gap(correct);
        excused |= gap > 0 && unsaid(answer, place, text);
        tokens += excused ? 0 : 1;
        if (gap <= 0 || excused) {
            return;
        }
        if (gap <= settings.gap()) {
            ties++;
            largestTie = Math.max(largestTie, gap);
        } else {
            different++;
            proved += answer.guessed() ? 0 : 1;
            note(answer, place, 0, gap);
        }
        largestGap = Math.max(largestGap, gap);
    }

    /// Returns whether the best token would also spell the text, if ids are guessed: then the ids after it give no information.
    private boolean unsaid(Answer answer, Place place, int[] text) {
        int[] best = Arrays.copyOf(text, place.index() + 1);
        best[place.index()] = place.mode(correct);
        if (!answer.guessed()) {
            return false;
        }
        var spelled = tokenizer.decode(best);
        return answer.text().startsWith(spelled)
                && spelled.length() > tokenizer.decode(Arrays.copyOf(text, place.index())).length();
    }

    private void sampled(Answer answer, Place place) {
        double[] p = place.distribution(correct);
        linter.take(place, p);
        double own = p[place.token()];
        boolean edge = place.edge(correct, settings.gap());
        edges += edge ? 1 : 0;
        impossible += own <= 0 && !edge ? 1 : 0;
        double before = evidence.log();
        evidence.add(place, p, !edge);
        note(answer, place, own, evidence.log() - before);
    }

    private void note(Answer answer, Place place, double p, double gain) {
        if (gain > 0) {
            var piece = tokenizer.piece(place.token());
            notes.add(new Note(answer.prompt(), answers, place.index(), piece, p, gain));
            notes.sort(Comparator.comparingDouble(Note::gain).reversed());
            if (notes.size() > MAX_NOTES) {
                notes.removeLast();
            }
        }
    }

    /// Returns the result so far.
    ///
    /// @param complete whether all requested answers are there
    public Outcome outcome(boolean complete) {
        var explanations = new ArrayList<Explanation>();
        for (var each : naming.found(complete && decidedAt > 0)) {
            var names = List.copyOf(each.names());
            var shown = Hypotheses.names(names);
            explanations.add(new Explanation(shown, each.score(), each.log(), true, names));
        }
        for (int index = table.size(); index < evidence.size(); index++) {
            var name = evidence.name(index);
            double log = evidence.logRatio(index);
            explanations.add(
                    new Explanation(name, evidence.score(index), log, false, List.of(name)));
        }
        double all =
                EProcess.logSum(explanations.stream().mapToDouble(Explanation::share).toArray());
        explanations.replaceAll(each -> Change.with(each, "share", Math.exp(each.share() - all)));
        explanations.sort(Comparator.comparingDouble(Explanation::share).reversed());
        explanations.removeIf(each -> each.share() < SHOWN);
        double best = evidence.scores().max().orElse(0);
        var excluded = new ArrayList<String>();
        var open = new ArrayList<String>();
        for (int index = 0; index < table.size(); index++) {
            double behind = decidedAt > 0 ? evidence.score(index) - best : 0;
            boolean refuted = Math.min(evidence.logRatio(index), behind) < EXCLUDED;
            (refuted ? excluded : open).add(table.get(index).name());
        }
        double needed = Math.log((greedy ? 1 : evidence.size()) / settings.alpha());
        double detectable = needed / Math.max(1, greedy ? tokens : evidence.places());
        double log = greedy ? 0 : evidence.log();
        var tokensOfGreedy = new Greedy(largestGap, ties, different, largestTie);
        var verdict = verdict(complete);
        return new Outcome(
                verdict,
                reason(verdict, complete),
                answers,
                tokens,
                new Evidence(log, settings.alpha(), decidedAt, detectable, impossible, edges),
                greedy ? Optional.of(tokensOfGreedy) : Optional.empty(),
                explanations.stream().limit(MAX_NOTES).toList(),
                excluded,
                open,
                notes,
                findings(complete));
    }

    private List<String> findings(boolean complete) {
        var findings = linter.findings(complete);
        if (decidedAt > 0 && !complete && settings.pairs()) {
            findings.add("interrupted: pairs of faults were not all compared.");
        }
        return findings;
    }

    private Verdict verdict(boolean complete) {
        if (tokens == 0) {
            return Verdict.CANNOT_TELL;
        }
        boolean clear = greedy ? different == 0 : guessed + unclear == 0;
        if (greedy ? proved > 0 : decidedAt > 0) {
            return Verdict.DIFFERENT;
        }
        return complete && clear ? Verdict.CONSISTENT : Verdict.CANNOT_TELL;
    }

    private String reason(Verdict verdict, boolean complete) {
        if (verdict == Verdict.DIFFERENT) {
            return greedy
                    ? "%d tokens are not the most probable ones, and no ties".formatted(proved)
                    : "the evidence reached 1 / alpha after %d tokens".formatted(decidedAt);
        }
        if (verdict == Verdict.CONSISTENT) {
            return greedy
                    ? "every token is the most probable one, or a tie"
                    : "the evidence stayed below 1 / alpha";
        }
        if (tokens == 0) {
            return "no answer has a token";
        }
        if (guessed > 0 && (!greedy || different > 0)) {
            return "%d answers have no token ids, and other ids may spell the same text"
                    .formatted(guessed);
        }
        return !greedy && unclear > 0
                ? "%d answers do not say whether an end-of-sequence token ended them (finish_reason)"
                        .formatted(unclear)
                : complete ? "" : "not all answers are there yet";
    }
}
