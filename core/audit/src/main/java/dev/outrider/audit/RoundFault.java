package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// How a server judges the tokens of a round; [#CORRECT] or with faults (docs/reference/algorithms.md C7).
///
/// @param acceptance of a drafted token
/// @param correction what replaces a rejected one
/// @param bonus      what follows a draft that was accepted as a whole
/// @param judged     setting of the target's probability in the test
/// @param corrected  setting of the target's distribution in the correction
/// @param drawn      setting of the distribution that drafts are drawn from
/// @param stated     setting of the draft's probability in test and correction
/// @param stale      whether drafted tokens are not in the history of the target's operators
/// @param shift      by how much ids of drafted tokens are too high: another tokenizer
record RoundFault(
        Acceptance acceptance,
        Correction correction,
        Bonus bonus,
        UnaryOperator<Setting> judged,
        UnaryOperator<Setting> corrected,
        UnaryOperator<Setting> drawn,
        UnaryOperator<Setting> stated,
        boolean stale,
        int shift) {
    static final RoundFault CORRECT =
            new RoundFault(
                    Acceptance.RATIO,
                    Correction.RESIDUAL,
                    Bonus.TARGET,
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    UnaryOperator.identity(),
                    false,
                    0);

    private static final Setting ANY =
            new Setting(SamplingPolicy.atTemperature(1), Optional.empty());

    enum Acceptance {
        /// With probability min(1, p / q).
        RATIO,
        /// Always.
        ALWAYS,
        /// As RATIO, with one coin for all tokens of a round.
        ONE_COIN,
        /// As RATIO, by the uniform number that drew the token.
        DRAFTS_NOISE,
        /// If the target draws the same token, with one uniform number for all tokens of a round.
        ONE_NOISE
    }

    enum Correction {
        /// From (p - q)+.
        RESIDUAL,
        /// From p.
        TARGET
    }

    enum Bonus {
        /// From p.
        TARGET,
        /// From q.
        DRAFT
    }

    /// Single faults.
    ///
    /// @param settings what may be wrong with a distribution; other weights are the target's
    static List<Change<RoundFault>> all(List<Change<Setting>> settings) {
        var all =
                new ArrayList<>(
                        List.of(
                                fault("every draft accepted", "acceptance", Acceptance.ALWAYS),
                                fault("bonus from q", "bonus", Bonus.DRAFT),
                                fault("correction from p", "correction", Correction.TARGET),
                                fault("history of the round's start on drafts", "stale", true),
                                fault("one coin for a round", "acceptance", Acceptance.ONE_COIN),
                                fault(
                                        "draft's noise used again",
                                        "acceptance",
                                        Acceptance.DRAFTS_NOISE),
                                fault("one noise for a round", "acceptance", Acceptance.ONE_NOISE),
                                fault("drafter's tokenizer (ids 1 too high)", "shift", 1),
                                fault("drafter's tokenizer (ids 1 too low)", "shift", -1)));
        for (var each : settings) {
            UnaryOperator<Setting> change = each::apply;
            var judged = fault(each.name() + " on p of the test", "judged", change);
            var corrected = fault("", "corrected", change);
            all.add(
                    new Change<>(
                            each.name() + " on drafted tokens",
                            fault -> corrected.apply(judged.apply(fault))));
            all.add(judged);
            all.add(fault(each.name() + " on p of the correction", "corrected", change));
            if (each.apply(ANY).model() == ANY.model()) {
                all.add(fault(each.name() + " on q of the test", "stated", change));
                all.add(fault(each.name() + " where drafts are drawn", "drawn", change));
            }
        }
        return all;
    }

    private static Change<RoundFault> fault(String name, String component, Object value) {
        return new Change<>(name, fault -> Change.with(fault, component, value));
    }

    /// A server with such a fault: where its rounds begin is not known, so every beginning is followed at once, each with its probability
    /// given the text so far (the forward recursion of a hidden Markov model).
    ///
    /// State j says that the last j tokens are accepted ones of a running round; in state K the bonus follows. The state after K is before the
    /// first round, for servers that draw the first token without a draft.
    static final class Rounds implements Alternative.Hypothesis {
        private static final double[] UNIT = {0, 1};

        private final String name;
        private final RoundFault fault;
        private final Setting target;
        private final Setting drawn;
        private final Setting stated;
        private final Setting judging;
        private final Setting correcting;
        private final int length;
        private final int kinds; // of states: 1 if all states but the last two are alike
        private final double[][] accepted;
        private final double[][] corrected;
        private double[] bonus = new double[0];
        private double[] states;
        private double[][] noises;

        /// @param target what a correct server samples from
        /// @param draft  what it drafts from
        /// @param length of drafts, K
        Rounds(
                String name,
                RoundFault fault,
                Setting target,
                Setting draft,
                int length,
                int vocabulary) {
            this.name = name;
            this.fault = fault;
            this.target = target;
            this.drawn = fault.drawn().apply(draft);
            this.stated = fault.stated().apply(draft);
            this.judging = fault.judged().apply(target);
            var other = fault.corrected().apply(target);
            this.correcting = other.equals(judging) ? judging : other;
            this.length = length;
            boolean noisy =
                    fault.acceptance() == Acceptance.ONE_COIN
                            || fault.acceptance() == Acceptance.ONE_NOISE;
            this.kinds = fault.stale() || noisy ? length : 1;
            this.accepted = new double[kinds][vocabulary];
            this.corrected = new double[kinds][vocabulary];
            this.states = new double[length + 2];
            this.noises = new double[length + 2][];
            begin(0);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void begin(int prompt) {
            Arrays.fill(states, 0);
            Arrays.fill(noises, UNIT);
            states[0] = .5;
            states[length + 1] = .5;
        }

        @Override
        public double[] predict(Place place) {
            prepare(place);
            double[] p = place.distribution(target);
            return IntStream.range(0, p.length).mapToDouble(token -> at(p, token)).toArray();
        }

        @Override
        public double density(Place place, double[] p) {
            prepare(place);
            return at(place.distribution(target), place.token());
        }

        private double at(double[] p, int token) {
            double sum = states[length + 1] * p[token];
            for (int state = 0; state < length; state++) {
                sum +=
                        states[state]
                                * (accepted[state % kinds][token]
                                        + corrected[state % kinds][token]);
            }
            return sum + states[length] * bonus[token];
        }

        /// Finds what each state makes of every token.
        private void prepare(Place place) {
            for (int state = 0; state < kinds; state++) {
                judge(place, state);
            }
            bonus =
                    switch (fault.bonus()) {
                        case DRAFT -> shifted(place.distribution(drawn));
                        case TARGET ->
                                fault.acceptance() == Acceptance.ONE_NOISE
                                        ? shares(
                                                place.distribution(target),
                                                noises[length],
                                                new double[accepted[0].length])
                                        : place.distribution(target);
                    };
        }

        @Override
        public void observe(Place place, double[] p) {
            int token = place.token();
            var next = new double[length + 2];
            var carried = new double[length + 2][];
            Arrays.fill(carried, UNIT);
            next[0] = states[length + 1] * place.distribution(target)[token];
            next[0] += states[length] * bonus[token];
            for (int state = 0; state < length; state++) {
                next[0] += states[state] * corrected[state % kinds][token];
                next[state + 1] = states[state] * accepted[state % kinds][token];
                carried[state + 1] = carried(place, state, token);
            }
            double sum = Arrays.stream(next).sum();
            if (sum > 0) {
                for (int state = 0; state < next.length; state++) {
                    next[state] /= sum;
                }
                states = next;
                noises = carried;
            } else {
                Arrays.fill(noises, UNIT);
                Arrays.fill(states, 1.0 / states.length);
            }
        }

        /// Writes the probabilities with which each token is accepted or replaces a rejected one in a state.
        private void judge(Place place, int state) {
            int missing = fault.stale() ? state : 0;
            double[] judge = place.stale(judging, missing);
            double[] p = judging.equals(correcting) ? judge : place.stale(correcting, missing);
            double[] q = shifted(place.distribution(drawn));
            double[] said = place.distribution(stated);
            double[] accept = accepted[state];
            double[] correct = corrected[state];
            double below = 0;
            double rejected = 1;
            double rest = 0;
            if (fault.acceptance() == Acceptance.ONE_NOISE) {
                shares(judge, noises[state], correct);
                for (int token = 0; token < q.length; token++) {
                    accept[token] = q[token] * correct[token];
                    correct[token] -= accept[token];
                }
                return;
            }
            for (int token = 0; token < q.length; token++) {
                double ratio =
                        said[token] > 0 ? judge[token] / said[token] : Math.signum(judge[token]);
                accept[token] =
                        switch (fault.acceptance()) {
                            case ALWAYS -> q[token];
                            case ONE_COIN -> q[token] * Math.min(1, ratio / noises[state][1]);
                            case DRAFTS_NOISE -> Math.clamp(ratio - below, 0, q[token]);
                            case RATIO, ONE_NOISE -> q[token] * Math.min(1, ratio);
                        };
                below += q[token];
                rejected -= accept[token];
                correct[token] =
                        fault.correction() == Correction.TARGET
                                ? p[token]
                                : Math.max(0, p[token] - said[token]);
                rest += correct[token];
            }
            double share = rest > 0 ? Math.max(0, rejected) / rest : 0;
            for (int token = 0; token < q.length; token++) {
                correct[token] =
                        rest > 0 ? share * correct[token] : Math.max(0, rejected) * p[token];
            }
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

        /// What a round's noise may be once a token was accepted in a state.
        private double[] carried(Place place, int state, int token) {
            double[] noise = noises[state];
            int missing = fault.stale() ? state : 0;
            return switch (fault.acceptance()) {
                case RATIO, ALWAYS, DRAFTS_NOISE -> UNIT;
                case ONE_COIN -> {
                    double said = place.distribution(stated)[token];
                    double ratio = said > 0 ? place.stale(judging, missing)[token] / said : 1;
                    yield new double[] {0, Math.min(noise[1], Math.max(ratio, Double.MIN_NORMAL))};
                }
                case ONE_NOISE -> {
                    double[] p = place.stale(judging, missing);
                    double below = 0;
                    for (int other = 0; other < token; other++) {
                        below += p[other];
                    }
                    double from = Math.max(noise[0], below);
                    yield new double[] {from, Math.max(from, Math.min(noise[1], below + p[token]))};
                }
            };
        }

        /// Writes how much of an interval of uniform numbers gives each token.
        private static double[] shares(double[] p, double[] interval, double[] shares) {
            double below = 0;
            double width = interval[1] - interval[0];
            for (int token = 0; token < p.length; token++) {
                double above = below + p[token];
                double common = Math.min(above, interval[1]) - Math.max(below, interval[0]);
                shares[token] = width > 0 ? Math.max(0, common) / width : p[token];
                below = above;
            }
            return shares;
        }
    }
}
