package dev.outrider.common.sampling;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;

/// Memory in which operators make distributions of one row of logits after the other. Removed tokens have a score of minus
/// infinity.
///
/// Confined to one thread.
public final class OperatorRow {
    /// The greatest penalty, so that sums stay finite.
    private static final double LARGEST_PENALTY = 1e30;

    private final OperatorChain chain;
    private final SamplingOperators settings;
    private final Map<Integer, Double> bias = new HashMap<>();
    private final BitSet allowed = new BitSet();
    private final BitSet breakers = new BitSet();
    private final double[] scores;
    private final double[] weights;
    private SamplingPolicy policy = SamplingPolicy.argmax();
    private TokenHistory history = TokenHistory.empty();
    private List<Operator> steps;
    private double state;

    /// Room for rows.
    ///
    /// @param chain      the operators
    /// @param vocabulary number of logits V
    public OperatorRow(OperatorChain chain, int vocabulary) {
        this.chain = chain;
        this.settings = chain.settings();
        this.scores = new double[vocabulary];
        this.weights = new double[vocabulary];
        this.steps = chain.steps(policy);
        settings.bias().forEach((token, value) -> bias.put(Integer.valueOf(token), value));
        settings.allowed().forEach(allowed::set);
        settings.dry().ifPresent(dry -> dry.breakers().forEach(breakers::set));
    }

    /// Computes the distribution at one position.
    ///
    /// @param with   temperature and truncations
    /// @param logits shape `[V]` 32-bit floats; not changed
    /// @param before tokens before the position
    /// @param then   the operators' state there
    /// @param result overwritten
    /// @throws OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite, `CONFIG_INVALID` if operators remove every token
    public void fill(
            SamplingPolicy with,
            MemorySegment logits,
            TokenHistory before,
            double then,
            DistributionBuffer result) {
        state = then;
        begin(with, logits, before);
        var distribution = result.distribution();
        Arrays.fill(distribution, 0);
        if (with.greedy()) {
            steps.forEach(each -> each.apply(this));
            distribution[mode()] = 1;
        } else {
            finish(steps, 1, distribution);
        }
        result.rescan();
    }

    /// {@return the most probable token at temperature 0, the lowest id among equals}
    ///
    /// @param with   temperature and truncations
    /// @param logits shape `[V]` 32-bit floats; not changed
    /// @param before tokens before the position
    public int mode(SamplingPolicy with, MemorySegment logits, TokenHistory before) {
        greedyScores(with, logits, before);
        return mode();
    }

    /// {@return the logits of which [#mode] is the largest, shape `[V]`} Shared: valid until the next call.
    ///
    /// @param with   temperature and truncations
    /// @param logits shape `[V]` 32-bit floats; not changed
    /// @param before tokens before the position
    public double[] greedyScores(SamplingPolicy with, MemorySegment logits, TokenHistory before) {
        begin(with.greedy() ? with : greedy(with), logits, before);
        steps.forEach(each -> each.apply(this));
        return scores;
    }

    private static SamplingPolicy greedy(SamplingPolicy policy) {
        return new SamplingPolicy(0, 0, 1, 0, policy.repetitionPenalty());
    }

    private void begin(SamplingPolicy with, MemorySegment logits, TokenHistory before) {
        if (!with.equals(policy)) {
            policy = with;
            steps = chain.steps(with);
        }
        history = before;
        Logits.copy(logits, scores);
        Logits.requireFinite(Logits.max(scores));
    }

    /// Runs the remaining steps on the scores, and adds a share of the resulting distribution.
    private void finish(List<Operator> todo, double share, double[] distribution) {
        for (int index = 0; index < todo.size(); index++) {
            if (todo.get(index) == Operator.XTC) {
                var xtc = settings.xtc().orElseThrow();
                var kept = scores.clone();
                var rest = todo.subList(index + 1, todo.size());
                removeTop();
                finish(rest, share * xtc.probability(), distribution);
                System.arraycopy(kept, 0, scores, 0, kept.length);
                finish(rest, share * (1 - xtc.probability()), distribution);
                return;
            }
            todo.get(index).apply(this);
        }
        double total = weigh();
        for (int token = 0; token < distribution.length; token++) {
            distribution[token] += share * (weights[token] / total);
        }
    }

    void bias() {
        bias.forEach((token, value) -> scores[token] += value);
    }

    void allow() {
        for (int token = allowed.nextClearBit(0);
                token < scores.length;
                token = allowed.nextClearBit(token + 1)) {
            remove(token);
        }
    }

    void ban() {
        settings.banned().forEach(this::remove);
    }

    void goOn() {
        if (history.written().count() < settings.minTokens()) {
            chain.endTokens().forEach(this::remove);
        }
    }

    void penaliseRepetition() {
        Distributions.penalise(scores, policy.repetitionPenalty(), history.distinct());
    }

    void penaliseWritten() {
        SamplingOperators.penalise(
                history,
                settings.presencePenalty(),
                settings.frequencyPenalty(),
                (token, loss) -> scores[token] -= loss);
    }

    /// The text is read from its end: a run is the length of the prefix that it shares with itself from a place on (the Z-function,
    /// Gusfield 1997, section 1.4), which takes time linear in the text.
    void penaliseRuns() {
        var dry = settings.dry().orElseThrow();
        int[] text =
                IntStream.concat(
                                Arrays.stream(history.committed(), 0, history.length()),
                                Arrays.stream(history.path()))
                        .toArray();
        int end = text.length - 1;
        int count = dry.window() == 0 ? text.length : Math.min(text.length, dry.window());
        int limit = 0;
        while (limit < count && !breakers.get(text[end - limit])) {
            limit++;
        }
        var shared = new int[count];
        var longest = new HashMap<Integer, Integer>();
        for (int place = 1, from = 0, to = 0; place < count && limit > 0; place++) {
            int run = place < to ? Math.min(to - place, shared[place - from]) : 0;
            while (place + run < count && text[end - run] == text[end - place - run]) {
                run++;
            }
            shared[place] = run;
            if (place + run > to) {
                from = place;
                to = place + run;
            }
            int next = text[end - place + 1];
            if (Math.min(run, limit) >= dry.allowedLength() && !breakers.get(next)) {
                longest.merge(next, Math.min(run, limit), Math::max);
            }
        }
        longest.forEach((token, run) ->
                scores[token] -=
                        Math.min(
                                LARGEST_PENALTY,
                                dry.multiplier()
                                        * Math.pow(dry.base(), run - dry.allowedLength())));
    }

    void temper() {
        double temperature = temperature();
        if (temperature < SamplingPolicy.GREEDY_BELOW) {
            int mode = mode();
            Arrays.fill(scores, Double.NEGATIVE_INFINITY);
            scores[mode] = 0;
            return;
        }
        for (int token = 0; token < scores.length; token++) {
            scores[token] /= temperature;
        }
    }

    private double temperature() {
        if (settings.dynamicTemperature().isEmpty()) {
            return policy.temperature();
        }
        var dynamic = settings.dynamicTemperature().get();
        int possible = possible();
        if (possible < 2) {
            return 1;
        }
        double least = Math.max(0, policy.temperature() - dynamic.range());
        double most = policy.temperature() + dynamic.range();
        double share = entropy(probabilities()) / Math.log(possible);
        return least + (most - least) * Math.pow(share, dynamic.exponent());
    }

    void keepTopK() {
        if (policy.topK() < scores.length) {
            double least = Truncation.kthLargest(scores, policy.topK());
            keep(scores, each -> each >= least);
        }
    }

    void keepTopP() {
        Truncation.keepTopP(weights, weigh(), policy.topP());
        keep(weights, each -> each > 0);
    }

    void keepMinP() {
        weigh();
        keep(weights, each -> each >= policy.minP());
    }

    void keepTopNSigma() {
        int possible = possible();
        double best = Logits.max(scores);
        double sum = 0;
        for (double score : scores) {
            sum += score > Double.NEGATIVE_INFINITY ? best - score : 0;
        }
        double mean = sum / possible;
        double squares = 0;
        for (double score : scores) {
            double off = best - score - mean;
            squares += score > Double.NEGATIVE_INFINITY ? off * off : 0;
        }
        double least = best - settings.topNSigma() * Math.sqrt(squares / possible);
        keep(scores, each -> each >= least);
    }

    /// Ties with the last token stay, as in Transformers.
    void keepTypical() {
        double[] p = probabilities();
        double entropy = entropy(p);
        int[] possible = IntStream.range(0, p.length).filter(token -> p[token] > 0).toArray();
        var distances = new double[possible.length];
        Arrays.setAll(distances, index -> Math.abs(-Math.log(p[possible[index]]) - entropy));
        double[] sorted = distances.clone();
        Arrays.sort(sorted);
        int low = 0;
        int high = possible.length - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            double mass = 0;
            for (int index = 0; index < possible.length; index++) {
                mass += distances[index] <= sorted[middle] ? p[possible[index]] : 0;
            }
            if (mass >= settings.typical()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        double most = sorted[low];
        keep(p, each -> each > 0 && Math.abs(-Math.log(each) - entropy) <= most);
    }

    void keepEpsilon() {
        keepAtLeast(probabilities(), settings.epsilon());
    }

    void keepEta() {
        double[] p = probabilities();
        double root = Math.sqrt(settings.eta()) * Math.exp(-entropy(p));
        keepAtLeast(p, Math.min(settings.eta(), root));
    }

    void keepTopA() {
        double[] p = probabilities();
        double best = Logits.max(p);
        keepAtLeast(p, settings.topA() * best * best);
    }

    /// Removes all but the last of the tokens above the threshold, in order of falling probability and then rising id.
    void removeTop() {
        double[] p = probabilities();
        double threshold = settings.xtc().orElseThrow().threshold();
        int last = -1;
        for (int token = 0; token < p.length; token++) {
            if (p[token] > 0 && p[token] >= threshold && (last < 0 || p[token] <= p[last])) {
                last = token;
            }
        }
        for (int token = 0; token < p.length && last >= 0; token++) {
            if (token != last && p[token] >= threshold) {
                remove(token);
            }
        }
    }

    void keepUnsurprising() {
        keepAtLeast(probabilities(), Math.pow(2, -state));
    }

    /// The best tokens stay for every limit.
    private void keepAtLeast(double[] p, double least) {
        double limit = Math.min(least, Logits.max(p));
        keep(p, each -> each >= limit);
    }

    private void keep(double[] values, DoublePredicate kept) {
        for (int token = 0; token < scores.length; token++) {
            if (!kept.test(values[token])) {
                remove(token);
            }
        }
    }

    private void remove(int token) {
        scores[token] = Double.NEGATIVE_INFINITY;
    }

    private int possible() {
        int possible = 0;
        for (double score : scores) {
            possible += score > Double.NEGATIVE_INFINITY ? 1 : 0;
        }
        return possible;
    }

    /// The lowest id of the largest score.
    private int mode() {
        best();
        return Distributions.argmax(scores);
    }

    /// Writes weights relative to the best token's, which is 1, and returns their sum.
    private double weigh() {
        System.arraycopy(scores, 0, weights, 0, scores.length);
        return Softmax.weights(weights, best(), 1);
    }

    /// Returns the largest score. The largest logit is known to be finite.
    private double best() {
        double best = Logits.max(scores);
        if (best == Double.NEGATIVE_INFINITY) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "no token is possible after %d tokens: the operators '%s' remove every token that the processors leave, expected one or more"
                            .formatted(history.length() + history.path().length, chain.label()),
                    "Change 'operators' (allowed, banned, bias, minTokens), or the processors.");
        }
        return Logits.requireFinite(best);
    }

    private double[] probabilities() {
        Softmax.scale(weights, 1 / weigh());
        return weights;
    }

    private static double entropy(double[] p) {
        double entropy = 0;
        for (double each : p) {
            entropy -= each > 0 ? each * Math.log(each) : 0;
        }
        return entropy;
    }
}
