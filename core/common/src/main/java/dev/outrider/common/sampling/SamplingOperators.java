package dev.outrider.common.sampling;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The operators that make the target's distribution, in addition to a [SamplingPolicy][dev.outrider.spi.sampling.SamplingPolicy],
/// and the order of both (docs/reference/samplers.md). Each operator is a function of the logits and of the tokens before the
/// position, where tokens of the prompt and written tokens differ. At temperature 0 only operators that change single tokens apply.
///
/// @param order            name of an order, or operators with commas between them
/// @param presencePenalty  subtracted from the logit of every token that was written
/// @param frequencyPenalty subtracted for each time that it was written
/// @param bias             added to logits, by token id
/// @param banned           token ids that are impossible
/// @param allowed          the only possible token ids; an empty list allows all
/// @param minTokens        tokens that are written before a sequence may end
/// @param dry              weakens tokens that would continue a repetition
/// @param topNSigma        keep logits within so many standard deviations of the best; 0 keeps all
/// @param typical          mass of the tokens that are kept, those first whose information is nearest to the entropy; 1 keeps all
/// @param topA             keep tokens of at least this times the square of the best probability; 0 keeps all
/// @param epsilon          keep tokens at least as probable; 0 keeps all
/// @param eta              keep tokens at least as probable as this, or as its root times the exponential of minus the entropy; 0 keeps all
/// @param xtc              removes the most probable tokens in a share of all positions
/// @param dynamicTemperature  temperature by entropy
/// @param mirostat         keeps the surprise near a goal
public record SamplingOperators(
        @Default("transformers")
                @Doc(
                        "The order of all operators, those of `sampling` included: transformers, vllm, sglang, llama.cpp, or names of operators with commas between them, at least of all that are on.")
                String order,
        @Default("0") @Doc("Subtracted from the logit of every token that was written.")
                double presencePenalty,
        @Default("0") @Doc("Subtracted from a token's logit for each time it was written.")
                double frequencyPenalty,
        @Default("{}") @Doc("Added to the logit of a token, by its id.") Map<String, Double> bias,
        @Default("[]") @Doc("Ids of tokens that are impossible.") List<Integer> banned,
        @Default("[]") @Doc("Ids of the only possible tokens; an empty list allows all.")
                List<Integer> allowed,
        @Default("0") @Doc("Tokens to write before an end-of-sequence token is possible.")
                int minTokens,
        @Doc("Weakens tokens that would go on with a repetition.") Optional<Dry> dry,
        @Default("0")
                @Doc(
                        "Keep logits at most so many standard deviations of all logits below the best; 0 keeps all.")
                double topNSigma,
        @Default("1")
                @Doc(
                        "Keep tokens whose information is nearest to the entropy until they hold this mass; 1 keeps all.")
                double typical,
        @Default("0")
                @Doc(
                        "Keep tokens at least as probable as this times the square of the best probability; 0 keeps all.")
                double topA,
        @Default("0") @Doc("Keep tokens at least as probable as this; 0 keeps all.") double epsilon,
        @Default("0")
                @Doc(
                        "Keep tokens at least as probable as the smaller of this and its square root times e to minus the entropy; 0 keeps all.")
                double eta,
        @Doc(
                        "Removes the most probable tokens, by a coin whose two outcomes are both in the distribution.")
                Optional<Xtc> xtc,
        @Doc("Temperature that rises with the entropy.")
                Optional<DynamicTemperature> dynamicTemperature,
        @Doc("Mirostat 2: keeps the surprise near a goal.") Optional<Mirostat> mirostat) {
    private static final double LARGEST = 1e6;

    /// Checks every setting.
    public SamplingOperators {
        bias = Map.copyOf(bias);
        banned = List.copyOf(banned);
        allowed = List.copyOf(allowed);
        range("presencePenalty", presencePenalty, -LARGEST, LARGEST);
        range("frequencyPenalty", frequencyPenalty, -LARGEST, LARGEST);
        bias.forEach((token, value) -> {
            Require.that(
                    token.matches("[0-9]{1,9}"),
                    "bias has the key '%s', expected the id of a token",
                    token);
            range("bias of token " + token, value, -LARGEST, LARGEST);
        });
        Require.that(
                banned.stream().allMatch(each -> each >= 0)
                        && allowed.stream().allMatch(each -> each >= 0),
                "banned %s and allowed %s must be ids of tokens, 0 or more",
                banned,
                allowed);
        Require.atLeast("minTokens", minTokens, 0);
        range("topNSigma", topNSigma, 0, LARGEST);
        Require.that(typical > 0 && typical <= 1, "typical %s must be in (0, 1]", typical);
        range("topA", topA, 0, 1);
        Require.that(epsilon >= 0 && epsilon < 1, "epsilon %s must be in [0, 1)", epsilon);
        Require.that(eta >= 0 && eta < 1, "eta %s must be in [0, 1)", eta);
        Require.that(
                xtc.isEmpty() || mirostat.isEmpty(),
                "xtc and mirostat are both on, expected one: what mirostat learns would depend on the coin of xtc");
        OperatorOrder.of(order);
    }

    /// Refuses an order that lacks an operator of [SamplingPolicy][dev.outrider.spi.sampling.SamplingPolicy] or one that is on.
    ///
    /// @throws IllegalArgumentException with the first missing operator
    public void requireOrder() {
        var named = OperatorOrder.of(order);
        Operator.all()
                .filter(each -> each.ofPolicy() || each.set(this))
                .forEach(each ->
                        Require.that(
                                named.contains(each),
                                "operators.order '%s' lacks %s, expected those of 'sampling' and every operator that is on",
                                order,
                                each.key()));
    }

    /// Weakens the tokens that would continue a repetition of the text's end: by `multiplier base^(length - allowedLength)` for the
    /// longest repetition.
    ///
    /// @param multiplier    penalty of the shortest repetition that is weakened
    /// @param base          factor of the penalty for each further token
    /// @param allowedLength length of the shortest repetition that is weakened
    /// @param window        number of last tokens that are read, the prompt included; 0 reads all
    /// @param breakers      token ids that end a repetition
    public record Dry(
            @Doc("Penalty of a repetition of `allowedLength` tokens.") double multiplier,
            @Default("1.75") @Doc("Factor for each token more.") double base,
            @Default("2") @Doc("Length from which a repetition is weakened.") int allowedLength,
            @Default("0") @Doc("Last tokens that are read, the prompt included; 0 reads all.")
                    int window,
            @Default("[]") @Doc("Ids of tokens that a repetition does not contain.")
                    List<Integer> breakers) {
        /// Checks every setting.
        public Dry {
            breakers = List.copyOf(breakers);
            range("multiplier", multiplier, 0, LARGEST);
            range("base", base, 1, LARGEST);
            Require.atLeast("allowedLength", allowedLength, 1);
            Require.atLeast("window", window, 0);
        }
    }

    /// Removes all but the least probable of the tokens above a threshold, in a share of all positions.
    ///
    /// @param probability of the removal
    /// @param threshold   least probability of the tokens that count
    public record Xtc(
            @Doc("Probability with which tokens are removed.") double probability,
            @Default("0.1") @Doc("Probability from which a token counts.") double threshold) {
        /// Checks every setting.
        public Xtc {
            range("probability", probability, 0, 1);
            range("threshold", threshold, 0, .5);
        }
    }

    /// A temperature between two bounds: higher if the entropy is nearer to that of the uniform distribution over the possible
    /// tokens.
    ///
    /// @param range    distance of the bounds from the policy's temperature
    /// @param exponent of the entropy's share
    public record DynamicTemperature(
            @Doc("Distance of the lowest and the highest temperature from that of `sampling`.")
                    double range,
            @Default("1") @Doc("Exponent of the entropy, as a share of the largest possible.")
                    double exponent) {
        /// Checks every setting.
        public DynamicTemperature {
            SamplingOperators.range("range", range, 0, LARGEST);
            Require.that(
                    exponent > 0 && exponent < LARGEST,
                    "exponent %s must be above 0 and below 1e6",
                    exponent);
        }
    }

    /// Keeps tokens up to a surprise limit, which is adapted to the surprise of the written tokens.
    ///
    /// @param tau goal, in bits
    /// @param eta learning rate of the limit
    public record Mirostat(
            @Default("5") @Doc("Surprise to reach, in bits.") double tau,
            @Default("0.1") @Doc("Share of a difference that is corrected with each token.")
                    double eta) {
        /// Checks every setting.
        public Mirostat {
            range("tau", tau, 0, LARGEST);
            range("eta", eta, 0, 1);
        }
    }

    /// {@return operators that change nothing, in the order of [SamplingPolicy][dev.outrider.spi.sampling.SamplingPolicy]}
    public static SamplingOperators none() {
        return new SamplingOperators(
                OperatorOrder.STANDARD,
                0,
                0,
                Map.of(),
                List.of(),
                List.of(),
                0,
                Optional.empty(),
                0,
                1,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// Computes the penalties of the written tokens.
    ///
    /// @param history   the tokens; those after the prompt count
    /// @param presence  penalty of a token that was written
    /// @param frequency penalty for each time that it was written
    /// @param loss      receives each such token
    public static void penalise(
            TokenHistory history, double presence, double frequency, Loss loss) {
        history.written()
                .boxed()
                .collect(Collectors.groupingBy(token -> token, Collectors.counting()))
                .forEach((token, times) -> loss.of(token, presence + frequency * times));
    }

    /// Receives the amount that is subtracted from a token's logit.
    @FunctionalInterface
    public interface Loss {
        /// Receives one token.
        ///
        /// @param token id
        /// @param loss  subtracted from its logit
        void of(int token, double loss);
    }

    /// The ids of tokens that the settings name.
    IntStream tokens() {
        return Stream.of(
                        bias.keySet().stream().map(Integer::valueOf),
                        banned.stream(),
                        allowed.stream(),
                        dry.stream().flatMap(each -> each.breakers().stream()))
                .flatMap(each -> each)
                .mapToInt(Integer::intValue);
    }

    /// {@return the settings that are not the default, for the label of a result; empty if there are none}
    public String label() {
        var on =
                Operator.all()
                        .map(each -> each.label(this))
                        .filter(each -> !each.isEmpty())
                        .collect(Collectors.joining(", "));
        var ordered = order.equals(OperatorOrder.STANDARD) ? "" : "order " + order;
        return on + (on.isEmpty() || ordered.isEmpty() ? "" : ", ") + ordered;
    }

    private static void range(String name, double value, double least, double most) {
        Require.that(
                value >= least && value <= most,
                "%s %s must be in [%s, %s]",
                name,
                value,
                least,
                most);
    }
}
