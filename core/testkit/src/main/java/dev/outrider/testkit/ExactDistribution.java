package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// The exact distribution of a decoder's output, and its comparison with the target's.
public final class ExactDistribution {
    /// Largest difference of any probability that rounding may explain.
    public static final double TOLERANCE = 1e-12;

    private static final int ROOM = 64;

    private ExactDistribution() {}

    /// {@return the distribution of the tokens that the real decode loop emits in its first rounds, by enumeration}
    ///
    /// @param prompt at least one token
    /// @param rounds at least 1; the work grows exponentially
    /// @param decoder the enumerated decoder
    /// @param policy how tokens are sampled
    public static Map<List<Integer>, Double> emitted(
            Decoder decoder, SamplingPolicy policy, int[] prompt, int rounds) {
        return emitted(decoder, policy, prompt, rounds, randomness -> round -> randomness);
    }

    /// As [#emitted(Decoder, SamplingPolicy, int[], int)], with a function that supplies the randomness of the rounds: negative
    /// controls use it to reuse randomness.
    ///
    /// @param supply turns the forked randomness into that of each round; called once for each run
    /// @param decoder the enumerated decoder
    /// @param policy how tokens are sampled
    /// @param prompt tokens to begin with, at least one
    /// @param rounds rounds to run
    /// @return probability of each sequence of tokens
    public static Map<List<Integer>, Double> emitted(
            Decoder decoder,
            SamplingPolicy policy,
            int[] prompt,
            int rounds,
            Function<Randomness, RandomnessSource> supply) {
        return emitted(decoder, endless(policy, prompt), rounds, supply);
    }

    /// {@return a request that nothing but the number of rounds ends}
    ///
    /// @param policy how tokens are sampled
    /// @param prompt tokens to begin with, at least one
    public static DecodeRequest endless(SamplingPolicy policy, int... prompt) {
        return new DecodeRequest(prompt, ROOM, policy, List.of(), true);
    }

    private static Map<List<Integer>, Double> emitted(
            Decoder decoder,
            DecodeRequest request,
            int rounds,
            Function<Randomness, RandomnessSource> supply) {
        return ForkedRandomness.enumerate(randomness -> {
            var done = new AtomicInteger();
            DecodeListener count =
                    event -> {
                        if (event instanceof RoundCompleted) {
                            done.incrementAndGet();
                        }
                    };
            var generation =
                    decoder.decode(
                            request, supply.apply(randomness), count, () -> done.get() == rounds);
            return Arrays.stream(generation.tokens()).boxed().toList();
        });
    }

    /// {@return the distribution of an experiment's result, by enumeration of all its random decisions} For experiments with more
    /// than one sequence.
    ///
    /// @param experiment takes all its random decisions from its argument; run once for every outcome of them
    /// @param <T> outcome, compared with `equals`
    public static <T> Map<T, Double> enumerated(Function<Randomness, T> experiment) {
        return ForkedRandomness.enumerate(experiment::apply);
    }

    /// {@return the distribution of the first `length` tokens, if the target itself completes the emitted tokens}
    ///
    /// @param emitted probability of each sequence of emitted tokens
    /// @param target the model
    /// @param policy how tokens are sampled
    /// @param prompt tokens to begin with, at least one
    /// @param length number of tokens
    public static Map<List<Integer>, Double> completed(
            Map<List<Integer>, Double> emitted,
            TableModel target,
            SamplingPolicy policy,
            int[] prompt,
            int length) {
        var distribution = new HashMap<List<Integer>, Double>();
        var completion =
                new Completion(target, policy, prompt.length, prompt.length + length, distribution);
        emitted.forEach((tokens, mass) -> {
            var first = tokens.subList(0, Math.min(length, tokens.size()));
            completion.add(join(prompt, first), mass);
        });
        return distribution;
    }

    /// {@return the target's own distribution of the first `length` tokens}
    ///
    /// @param target the model
    /// @param policy how tokens are sampled
    /// @param prompt tokens to begin with, at least one
    /// @param length number of tokens
    public static Map<List<Integer>, Double> ofTarget(
            TableModel target, SamplingPolicy policy, int[] prompt, int length) {
        return completed(Map.of(List.of(), 1.0), target, policy, prompt, length);
    }

    /// {@return the largest difference between two distributions at any outcome}
    ///
    /// @param one a distribution
    /// @param other another distribution
    public static double distance(
            Map<List<Integer>, Double> one, Map<List<Integer>, Double> other) {
        double largest = 0;
        for (var outcomes : List.of(one.keySet(), other.keySet())) {
            for (var outcome : outcomes) {
                double difference =
                        one.getOrDefault(outcome, 0.0) - other.getOrDefault(outcome, 0.0);
                largest = Math.max(largest, Math.abs(difference));
            }
        }
        return largest;
    }

    /// {@return expected number of tokens}
    ///
    /// @param emitted probability of each sequence of emitted tokens
    public static double expectedLength(Map<List<Integer>, Double> emitted) {
        return emitted.entrySet().stream()
                .mapToDouble(entry -> entry.getKey().size() * entry.getValue())
                .sum();
    }

    /// {@return the difference of the first `length` tokens of a decoder from the target's distribution}
    ///
    /// @param decoder the enumerated decoder
    /// @param target the model whose distribution is compared
    /// @param policy how tokens are sampled
    /// @param prompt tokens to begin with, at least one
    /// @param rounds rounds to run
    /// @param length number of tokens
    public static double error(
            Decoder decoder,
            TableModel target,
            SamplingPolicy policy,
            int[] prompt,
            int rounds,
            int length) {
        return error(decoder, target, endless(policy, prompt), rounds, length);
    }

    /// As [#error(Decoder, TableModel, SamplingPolicy, int[], int, int)], of a sequence that has a source.
    ///
    /// @param decoder the enumerated decoder; its target reads sources
    /// @param target the model whose distribution after the source is compared ([TableModel#after])
    /// @param request prompt, source and sampling
    /// @param rounds rounds to run
    /// @param length number of tokens
    /// @return the largest error of any probability
    public static double error(
            Decoder decoder, TableModel target, DecodeRequest request, int rounds, int length) {
        var model = target.after(request.source());
        var distribution = firstTokens(decoder, model, request, rounds, length);
        return distance(distribution, ofTarget(model, request.policy(), request.prompt(), length));
    }

    private static Map<List<Integer>, Double> firstTokens(
            Decoder decoder, TableModel model, DecodeRequest request, int rounds, int length) {
        var emitted = emitted(decoder, request, rounds, randomness -> round -> randomness);
        return completed(emitted, model, request.policy(), request.prompt(), length);
    }

    /// Asserts that a decoder's first rounds follow the target's distribution exactly and never emit an impossible token.
    ///
    /// @param decoder the enumerated decoder
    /// @param target the model whose distribution is compared
    /// @param policy how tokens are sampled
    /// @param prompt tokens to begin with, at least one
    /// @param rounds rounds to run
    /// @param length number of tokens
    public static void assertExact(
            Decoder decoder,
            TableModel target,
            SamplingPolicy policy,
            int[] prompt,
            int rounds,
            int length) {
        assertExact(decoder, target, endless(policy, prompt), rounds, length);
    }

    /// As [#assertExact(Decoder, TableModel, SamplingPolicy, int[], int, int)], of a sequence that has a source.
    ///
    /// @param decoder the enumerated decoder; its target reads sources
    /// @param target the model whose distribution after the source is compared ([TableModel#after])
    /// @param request prompt, source and sampling
    /// @param rounds rounds to run
    /// @param length number of tokens
    public static void assertExact(
            Decoder decoder, TableModel target, DecodeRequest request, int rounds, int length) {
        var model = target.after(request.source());
        var distribution = firstTokens(decoder, model, request, rounds, length);
        var expected = ofTarget(model, request.policy(), request.prompt(), length);
        assertThat(expected.keySet())
                .describedAs("nothing is emitted that the target never says")
                .containsAll(distribution.keySet());
        assertThat(distribution.values().stream().mapToDouble(Double::doubleValue).sum())
                .describedAs("total probability")
                .isBetween(1 - TOLERANCE, 1 + TOLERANCE);
        assertThat(distance(distribution, expected))
                .describedAs("largest error of any probability")
                .isLessThan(TOLERANCE);
    }

    /// Adds up the sequences that the target completes.
    ///
    /// @param from index of the first completed token, that after the prompt
    /// @param to   length of a complete sequence
    private record Completion(
            TableModel target,
            SamplingPolicy policy,
            int from,
            int to,
            Map<List<Integer>, Double> distribution) {
        void add(int[] sequence, double mass) {
            if (sequence.length == to) {
                var tokens = Arrays.stream(sequence, from, to).boxed().toList();
                distribution.merge(tokens, mass, Double::sum);
                return;
            }
            double[] next = target.distribution(policy, sequence);
            for (int token = 0; token < next.length; token++) {
                if (next[token] > 0) {
                    add(join(sequence, List.of(token)), mass * next[token]);
                }
            }
        }
    }

    private static int[] join(int[] prefix, List<Integer> tokens) {
        var joined = Arrays.copyOf(prefix, prefix.length + tokens.size());
        for (int index = 0; index < tokens.size(); index++) {
            joined[prefix.length + index] = tokens.get(index);
        }
        return joined;
    }
}
