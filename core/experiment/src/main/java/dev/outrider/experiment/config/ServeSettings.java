package dev.outrider.experiment.config;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The settings of `serve`, which serves an experiment's target and variants.
public record ServeSettings(
        @Inline Capacity capacity, @Inline RequestLimits requests, @Inline Access access) {

    /// The amount of work at one time.
    public record Capacity(
            @Default("8")
                    @Doc("Most texts that are written together: one pass of the target serves all.")
                    int sequences,
            @Default("64") @Doc("Most requests that wait for a place; more are refused with 429.")
                    int queue,
            @Doc(
                            "Most memory of the caches of running texts; left out, half of what is free at the start.")
                    Optional<Integer> cacheMegabytes,
            @Default("128")
                    @Doc("Most tokens of a prompt that are read between two rounds of the others.")
                    int prefillRows,
            @Default("true")
                    @Doc(
                            "Whether prompts share what they begin with; a client can learn from times and counts what others sent.")
                    boolean sharePrompts,
            @Doc(
                            "Longest time of a request; then it ends with what it has, as if its tokens were used up.")
                    Optional<Duration> deadline,
            @Default("20s") @Doc("Time that requests have to end after Ctrl-C, at most 25s.")
                    Duration grace) {
        public Capacity {
            Require.atLeast("serve.sequences", sequences, 1);
            Require.atLeast("serve.queue", queue, 0);
            cacheMegabytes.ifPresent(value -> Require.atLeast("serve.cacheMegabytes", value, 1));
            Require.atLeast("serve.prefillRows", prefillRows, 1);
            deadline.ifPresent(value -> positive("serve.deadline", value));
            boolean brief = !grace.isNegative() && grace.compareTo(Duration.ofSeconds(25)) <= 0;
            Require.that(brief, "serve.grace %s must be 0s to 25s", grace);
        }
    }

    /// The limits of a request.
    public record RequestLimits(
            @Default("1024") @Doc("Most kilobytes of a request's body; more is refused with 413.")
                    int bodyKilobytes,
            @Default("128") @Doc("Most prompts of a request, times its n.") int prompts,
            @Default("16") @Doc("Most stop strings of a request.") int stops,
            @Default("60s")
                    @Doc(
                            "Time for a client to send a whole request, and to wait before the next on the same connection.")
                    Duration idle,
            @Default("30s")
                    @Doc("Time for a client to take what was written to it, before it is cut off.")
                    Duration write,
            @Default("512") @Doc("Most connections at a time; further ones wait.")
                    int connections) {
        public RequestLimits {
            Require.between("serve.bodyKilobytes", bodyKilobytes, 1, 1 << 20);
            Require.atLeast("serve.prompts", prompts, 1);
            Require.atLeast("serve.stops", stops, 0);
            positive("serve.idle", idle);
            positive("serve.write", write);
            Require.atLeast("serve.connections", connections, 1);
        }
    }

    /// The clients that may use it, and the log of requests.
    public record Access(
            @Default("''")
                    @Doc(
                            "Environment variable with the key that clients send as 'Authorization: Bearer KEY'; without it everybody may.")
                    String keyVariable,
            @Default("[]")
                    @Doc(
                            "Origins whose pages may use the server from a browser, such as http://localhost:3000.")
                    List<String> origins,
            @Default("none")
                    @Doc(
                            "What is written of each request: none, requests (a line with numbers) or prompts (also its text).")
                    Log log) {
        public Access {
            origins = List.copyOf(origins);
        }
    }

    /// The part of a request that is logged.
    public enum Log {
        NONE,
        REQUESTS,
        PROMPTS
    }

    private static void positive(String key, Duration value) {
        Require.that(value.isPositive(), "%s %s must be longer than 0", key, value);
    }
}
