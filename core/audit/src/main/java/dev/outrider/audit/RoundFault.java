package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The judgement of a round's tokens by a server; [#CORRECT] or with faults (docs/reference/algorithms.md C7).
///
/// @param acceptance of a drafted token
/// @param correction distribution of the token that replaces a rejected one
/// @param bonus      distribution of the token after a draft that was accepted as a whole
/// @param target     setting of the target's distribution outside test and correction
/// @param judged     setting of the target's probability in the test
/// @param corrected  setting of the target's distribution in the correction
/// @param drawn      setting of the distribution that drafts are drawn from
/// @param stated     setting of the draft's probability in test and correction
/// @param shift      amount by which ids of drafted tokens are too high: another tokenizer
record RoundFault(
        Acceptance acceptance,
        Correction correction,
        Bonus bonus,
        Setting target,
        Setting judged,
        Setting corrected,
        Setting drawn,
        Setting stated,
        Stale stale,
        int shift) {
    private static final Setting ANY =
            new Setting(SamplingPolicy.atTemperature(1), Optional.empty());

    private static final String[] TARGET = {"target", "judged", "corrected"};
    private static final String[] ALL = {"target", "judged", "corrected", "drawn", "stated"};

    /// Returns the judgement without a fault.
    static RoundFault correct(Setting target, Setting draft) {
        return new RoundFault(
                Acceptance.RATIO,
                Correction.RESIDUAL,
                Bonus.TARGET,
                target,
                target,
                target,
                draft,
                draft,
                Stale.NEVER,
                0);
    }

    /// Returns whether its output follows [#target] at every place, for every draft.
    boolean exact() {
        return equals(correct(target, drawn));
    }

    enum Acceptance {
        /// Accepts with probability min(1, p / q).
        RATIO,
        /// Always accepts.
        ALWAYS,
        /// As RATIO, with one coin for all tokens of a round.
        ONE_COIN,
        /// As RATIO, with the uniform number that drew the token.
        DRAFTS_NOISE
    }

    enum Correction {
        /// Draws from (p - q)+.
        RESIDUAL,
        /// Draws from p.
        TARGET
    }

    enum Bonus {
        /// Draws from p.
        TARGET,
        /// Draws from q.
        DRAFT
    }

    /// The distributions whose history lacks the drafted tokens of the round.
    enum Stale {
        NEVER,
        /// The target's in test and correction.
        DRAFTED,
        /// All distributions.
        ALWAYS
    }

    /// Faults of distributions everywhere; a draft model has weights of its own.
    static Change<RoundFault> everywhere(Change<Setting> change) {
        return on("", change, change.apply(ANY).model() == ANY.model() ? ALL : TARGET);
    }

    /// The same fault of the target's distributions only.
    static Change<RoundFault> onTarget(Change<Setting> change) {
        return on(" by the target alone", change, TARGET);
    }

    /// Faults of rounds.
    ///
    /// @param settings possible faults of a distribution; other weights are the target's
    static List<Change<RoundFault>> all(List<Change<Setting>> settings) {
        var all = new ArrayList<Change<RoundFault>>();
        all.add(fault("every draft accepted", "acceptance", Acceptance.ALWAYS));
        all.add(fault("bonus from q", "bonus", Bonus.DRAFT));
        all.add(fault("correction from p", "correction", Correction.TARGET));
        all.add(fault("history of the round's start on drafts", "stale", Stale.DRAFTED));
        all.add(fault("history of the round's start", "stale", Stale.ALWAYS));
        all.add(fault("one coin for a round", "acceptance", Acceptance.ONE_COIN));
        all.add(fault("draft's noise used again", "acceptance", Acceptance.DRAFTS_NOISE));
        all.add(fault("drafter's tokenizer (ids 1 too high)", "shift", 1));
        all.add(fault("drafter's tokenizer (ids 1 too low)", "shift", -1));
        for (var each : settings) {
            all.add(on(" on drafted tokens", each, "judged", "corrected"));
            all.add(on(" on p of the test", each, "judged"));
            all.add(on(" on p of the correction", each, "corrected"));
            if (each.apply(ANY).model() == ANY.model()) {
                all.add(on(" on q of the test", each, "stated"));
                all.add(on(" where drafts are drawn", each, "drawn"));
            }
        }
        return all;
    }

    private static Change<RoundFault> on(String where, Change<Setting> change, String... parts) {
        return new Change<>(
                change.name() + where,
                fault -> {
                    var changed = fault;
                    for (var part : parts) {
                        var setting = (Setting) Change.value(changed, part);
                        changed = Change.with(changed, part, change.apply(setting));
                    }
                    return changed;
                });
    }

    private static Change<RoundFault> fault(String name, String component, Object value) {
        return new Change<>(name, fault -> Change.with(fault, component, value));
    }

    /// A server with such a fault. The starts of its rounds are unknown, so all of them are followed together, each with its
    /// probability given the text so far (the forward recursion of a hidden Markov model).
    ///
    /// In state j the last j tokens are accepted ones of a running round; in state K the bonus follows. State K + 1 is before the
    /// first round, for servers that draw the first token without a draft.
    static final class Rounds implements Alternative.Hypothesis {
        private final String name;
        private final RoundFault fault;
        private final int length;
        private final int last;
        private final boolean coin;
        private final int kinds; // of states: 1 if all states but the last two are alike
        private final double[][] accepted;
        private final double[][] corrected;
        private double[] bonus = new double[0];
        private double[] states;
        private double[] coins;

        /// @param length of drafts, K
        /// @param last   place of the last token of a text that is cut
        Rounds(String name, RoundFault fault, int length, int last, int vocabulary) {
            this.name = name;
            this.fault = fault;
            this.length = length;
            this.last = last;
            this.coin = fault.acceptance() == Acceptance.ONE_COIN;
            this.kinds = fault.stale() != Stale.NEVER || coin ? length : 1;
            this.accepted = new double[kinds][vocabulary];
            this.corrected = new double[kinds][vocabulary];
            this.states = new double[length + 2];
            this.coins = new double[length + 2];
            begin(0);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void begin(int prompt) {
            Arrays.fill(states, 0);
            Arrays.fill(coins, 1);
            states[0] = .5;
            states[length + 1] = .5;
        }

        @Override
        public double[] predict(Place place) {
            prepare(place);
            double[] p = place.distribution(fault.target());
            return IntStream.range(0, p.length).mapToDouble(token -> at(place, p, token)).toArray();
        }

        @Override
        public double density(Place place, double[] p) {
            prepare(place);
            return at(place, place.distribution(fault.target()), place.token());
        }

        private double at(Place place, double[] p, int token) {
            double sum = states[length + 1] * p[token];
            // Some servers draft at most the rest of a text: then its last token is a bonus.
            double cut = place.index() == last ? .5 : 0;
            for (int state = 0; state < length; state++) {
                double judged = accepted[state % kinds][token] + corrected[state % kinds][token];
                sum += states[state] * ((1 - cut) * judged + cut * bonus[token]);
            }
            return sum + states[length] * bonus[token];
        }

        /// Computes the distribution of the next token in each state.
        private void prepare(Place place) {
            for (int state = 0; state < kinds; state++) {
                judge(place, state);
            }
            bonus =
                    fault.bonus() == Bonus.DRAFT
                            ? shifted(place.stale(fault.drawn(), late(length)))
                            : place.stale(fault.target(), late(length));
        }

        @Override
        public void observe(Place place, double[] p) {
            int token = place.token();
            var next = new double[length + 2];
            var carried = new double[length + 2];
            Arrays.fill(carried, 1);
            next[0] = states[length + 1] * place.distribution(fault.target())[token];
            next[0] += states[length] * bonus[token];
            for (int state = 0; state < length; state++) {
                next[0] += states[state] * corrected[state % kinds][token];
                next[state + 1] = states[state] * accepted[state % kinds][token];
                carried[state + 1] = coin ? carried(place, state, token) : 1;
            }
            double sum = Arrays.stream(next).sum();
            if (sum > 0) {
                for (int state = 0; state < next.length; state++) {
                    next[state] /= sum;
                }
                states = next;
                coins = carried;
            } else {
                Arrays.fill(coins, 1);
                Arrays.fill(states, 1.0 / states.length);
            }
        }

        /// Writes the probabilities with which each token is accepted or replaces a rejected one in a state.
        private void judge(Place place, int state) {
            int missing = missing(state);
            double[] judge = place.stale(fault.judged(), missing);
            double[] p = place.stale(fault.corrected(), missing);
            double[] q = shifted(place.stale(fault.drawn(), late(state)));
            double[] said = place.stale(fault.stated(), late(state));
            double[] accept = accepted[state];
            double[] correct = corrected[state];
            double below = 0;
            double rejected = 1;
            double rest = 0;
            for (int token = 0; token < q.length; token++) {
                double judged = judge[token];
                double ratio = said[token] > 0 ? judged / said[token] : Math.signum(judged);
                accept[token] =
                        switch (fault.acceptance()) {
                            case ALWAYS -> q[token];
                            case ONE_COIN -> q[token] * Math.min(1, ratio / coins[state]);
                            case DRAFTS_NOISE -> Math.clamp(ratio - below, 0, q[token]);
                            case RATIO -> q[token] * Math.min(1, ratio);
                        };
                below += q[token];
                rejected -= accept[token];
                double taken = fault.correction() == Correction.TARGET ? 0 : said[token];
                correct[token] = Math.max(0, p[token] - taken);
                rest += correct[token];
            }
            double share = rest > 0 ? Math.max(0, rejected) / rest : 0;
            for (int token = 0; token < q.length; token++) {
                correct[token] =
                        rest > 0 ? share * correct[token] : Math.max(0, rejected) * p[token];
            }
        }

        /// Returns the number of tokens that are missing in the history of test and correction in a state.
        private int missing(int state) {
            return fault.stale() == Stale.NEVER ? 0 : state;
        }

        /// Returns the number of tokens that are missing in the history of the others.
        private int late(int state) {
            return fault.stale() == Stale.ALWAYS ? state : 0;
        }

        private double[] shifted(double[] q) {
            if (fault.shift() == 0) {
                return q;
            }
            var shifted = new double[q.length];
            for (int token = 0; token < q.length; token++) {
                shifted[Math.floorMod(token + fault.shift(), q.length)] = q[token];
            }
            return shifted;
        }

        /// Returns the greatest possible value of a round's coin after a token was accepted in a state.
        private double carried(Place place, int state, int token) {
            double said = place.stale(fault.stated(), late(state))[token];
            double[] judge = place.stale(fault.judged(), missing(state));
            double ratio = said > 0 ? judge[token] / said : 1;
            return Math.min(coins[state], Math.max(ratio, Double.MIN_NORMAL));
        }
    }
}
