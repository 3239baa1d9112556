package dev.outrider.treeverify.verdict;

import dev.outrider.spi.Verdict;
import dev.outrider.treeverify.verdict.PlainTruncation.Kept;

/// What the kernels compute, in plain loops over plain arrays, in the same order of operations, but for the truncation,
/// which [PlainTruncation] finds in another way. The kernels are tested against it, and it against the engine's rules. Never
/// used in their place.
public final class PlainVerdicts {
    /// Work items that share a row. Each sums a part of the vocabulary of its own.
    public static final int LANES = 128;

    private PlainVerdicts() {}

    /// Largest logit, sum of `exp((logit - largest) * inverseTemperature)` and argmax of one row.
    ///
    /// @param largest      the largest logit
    /// @param sum          positive
    /// @param argmax       the lowest id among equals
    record Statistics(float largest, float sum, int argmax) {}

    /// What makes logits of a row probabilities.
    private record Law(float largest, Kept kept) {}

    /// The verdict.
    ///
    /// @param logits shape `[rows, V]`
    public static Verdict decide(VerdictRequest request, float[] logits) {
        int rows = request.rows();
        var chosen = new int[rows];
        var accepted = new int[rows];
        for (int row = 0; row < rows; row++) {
            var statistics =
                    statistics(logits, row, request.vocabulary(), request.inverseTemperature());
            if (request.rule() == DeviceRule.GREEDY) {
                chosen[row] = statistics.argmax();
            } else {
                var kept = PlainTruncation.of(request, logits, row, statistics);
                var law = new Law(statistics.largest(), kept);
                chosen[row] = draw(request, logits, row, law);
                if (request.rule().alongChain() && row + 1 < rows) {
                    accepted[row] = test(request, logits, row, law);
                }
            }
        }
        var answer = new int[VerdictRequest.answerLength(rows)];
        if (request.rule().alongChain()) {
            walkChain(rows, accepted, chosen, answer);
        } else {
            walkTree(request, chosen, answer);
        }
        return request.verdict(answer);
    }

    static Statistics statistics(
            float[] logits, int row, int vocabulary, float inverseTemperature) {
        int start = row * vocabulary;
        float largest = -Float.MAX_VALUE;
        int argmax = 0;
        for (int token = 0; token < vocabulary; token++) {
            if (logits[start + token] > largest) {
                largest = logits[start + token];
                argmax = token;
            }
        }
        var parts = new float[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            for (int token = lane; token < vocabulary; token += LANES) {
                parts[lane] += exp((logits[start + token] - largest) * inverseTemperature);
            }
        }
        for (int stride = LANES / 2; stride > 0; stride /= 2) {
            for (int lane = 0; lane < stride; lane++) {
                parts[lane] += parts[lane + stride];
            }
        }
        return new Statistics(largest, parts[0], argmax);
    }

    /// The target's probability of a token.
    private static float probability(
            VerdictRequest request, float[] logits, int row, int token, Law law) {
        float logit = logits[row * request.vocabulary() + token];
        return law.kept().has(logit, token)
                ? exp((logit - law.largest()) * request.inverseTemperature()) / law.kept().sum()
                : 0;
    }

    /// What is left of it to draw from after a rejection.
    private static float remainder(
            VerdictRequest request, float[] logits, int row, int token, Law law) {
        float left = probability(request, logits, row, token, law);
        if (request.rule() == DeviceRule.CHAIN_SAMPLED && row + 1 < request.rows()) {
            left = Math.max(left - request.draftLaws().weight(row, token), 0);
        }
        return token == request.removed()[row] ? 0 : left;
    }

    /// The token at which the running sum of the remainder first exceeds `uniform` times its total. Where rounding
    /// leaves nothing of it, the whole law stays, as in the engine.
    private static int draw(VerdictRequest request, float[] logits, int row, Law law) {
        float left = 0;
        for (float sum : parts(request, logits, row, law, false)) {
            left += sum;
        }
        boolean whole = !(left > 0);
        var parts = parts(request, logits, row, law, whole);
        float total = 0;
        for (float sum : parts) {
            total += sum;
        }
        float rest = request.drawUniforms()[row] * total;
        int lane = 0;
        while (lane < LANES - 1 && rest >= parts[lane]) {
            rest -= parts[lane];
            lane++;
        }
        rest += request.drawFractions()[row] * VerdictLayout.LAST_BIT * total;
        int vocabulary = request.vocabulary();
        int token = lane * ((vocabulary + LANES - 1) / LANES);
        for (; token < vocabulary; token++) {
            float weight = weight(request, logits, row, token, law, whole);
            rest -= weight;
            if (weight > 0 && rest < 0) {
                return token;
            }
        }
        token = vocabulary - 1;
        while (token > 0 && weight(request, logits, row, token, law, whole) <= 0) {
            token--;
        }
        return token;
    }

    private static float[] parts(
            VerdictRequest request, float[] logits, int row, Law law, boolean whole) {
        int part = (request.vocabulary() + LANES - 1) / LANES;
        var parts = new float[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            int end = Math.min((lane + 1) * part, request.vocabulary());
            for (int token = lane * part; token < end; token++) {
                parts[lane] += weight(request, logits, row, token, law, whole);
            }
        }
        return parts;
    }

    private static float weight(
            VerdictRequest request, float[] logits, int row, int token, Law law, boolean whole) {
        return whole
                ? probability(request, logits, row, token, law)
                : remainder(request, logits, row, token, law);
    }

    private static int test(VerdictRequest request, float[] logits, int row, Law law) {
        int token = request.tokens()[row + 1];
        float p = probability(request, logits, row, token, law);
        float q = request.drafted()[row];
        return q > 0 && request.acceptUniforms()[row] * q < p ? 1 : 0;
    }

    private static void walkChain(int rows, int[] accepted, int[] chosen, int[] answer) {
        int length = 0;
        while (length + 1 < rows && accepted[length] == 1) {
            answer[VerdictRequest.PATH + length] = length + 1;
            length++;
        }
        answer[VerdictRequest.LENGTH] = length;
        answer[VerdictRequest.NEXT] = chosen[length];
        answer[VerdictRequest.CORRECTED] = length + 1 < rows ? 1 : 0;
    }

    private static void walkTree(VerdictRequest request, int[] chosen, int[] answer) {
        int node = 0;
        int length = 0;
        int corrected = 0;
        for (int other = 1; other < request.rows(); other++) {
            if (request.parents()[other] == node && request.candidate()[other] == 1) {
                if (request.tokens()[other] == chosen[node]) {
                    answer[VerdictRequest.PATH + length] = other;
                    length++;
                    node = other;
                    corrected = 0;
                } else {
                    corrected = 1;
                }
            }
        }
        answer[VerdictRequest.LENGTH] = length;
        answer[VerdictRequest.NEXT] = chosen[node];
        answer[VerdictRequest.CORRECTED] = corrected;
    }

    private static float exp(float x) {
        return (float) Math.exp(x);
    }
}
