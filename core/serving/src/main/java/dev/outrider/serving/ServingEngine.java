package dev.outrider.serving;

import dev.outrider.common.CacheMemory;
import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.scoring.TokenScorer;
import dev.outrider.serving.Job.Plan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/// Serves requests of several variants over one target.
///
/// Thread-safe. The target and the drafters stay the caller's, who closes them after this.
public final class ServingEngine implements AutoCloseable {
    /// Time for listeners after the last request has ended.
    private static final Duration LISTENERS = Duration.ofSeconds(2);

    private final TargetModel target;
    private final List<ServedVariant> variants;
    private final ServingLimits limits;
    private final Ticker ticker;
    private final TokenScorer scorer;
    private final Meter meter = new Meter();
    private final Loop loop;
    private final Thread thread;
    private final Set<Job> undone = ConcurrentHashMap.newKeySet();

    private ServingEngine(
            TargetModel target, List<ServedVariant> variants, ServingLimits limits, Ticker ticker) {
        this.target = target;
        this.variants = List.copyOf(variants);
        this.limits = limits;
        this.ticker = ticker;
        this.scorer = new TokenScorer(target.description().vocabularySize());
        this.loop = new Loop(target, this.variants, limits, ticker, meter);
        this.thread = Thread.ofPlatform().name("outrider-serving").daemon().unstarted(loop);
    }

    /// Starts the loop.
    ///
    /// @param variants of the target, each name once; plain decoding is among them
    /// @throws OutriderException `CONFIG_INVALID` for other variants
    public static ServingEngine start(
            TargetModel target, List<ServedVariant> variants, ServingLimits limits, Ticker ticker) {
        var names = new HashSet<String>();
        for (var variant : variants) {
            requireServable(target, variant);
            if (!names.add(variant.name())) {
                throw ErrorCode.CONFIG_INVALID.error(
                        "two variants have the name '%s'".formatted(variant.name()),
                        "Give every variant a name of its own.");
            }
        }
        if (variants.stream().allMatch(each -> each.decoder().drafter().isPresent())) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "none of the variants %s decodes plainly".formatted(names),
                    "Add plain decoding of the target.");
        }
        var engine = new ServingEngine(target, variants, limits, ticker);
        engine.thread.start();
        return engine;
    }

    private static void requireServable(TargetModel target, ServedVariant variant) {
        if (!variant.decoder().target().equals(target)) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "variant '%s' decodes another target than '%s'"
                            .formatted(variant.name(), target.description().name()),
                    "Make it around the target that is served.");
        }
    }

    /// The target.
    public TargetModel target() {
        return target;
    }

    /// The variants, in the order of [#start].
    public List<ServedVariant> variants() {
        return variants;
    }

    /// The variant of a name.
    public Optional<ServedVariant> variant(String name) {
        return variants.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// The limits.
    public ServingLimits limits() {
        return limits;
    }

    /// Submits a request. Returns at once.
    ///
    /// @throws OutriderException the mistake of the request: as [RequestLimits], `CONFIG_INVALID` for a variant of another target,
    ///     `LOSSY_NOT_ALLOWED`, `CAPABILITY_MISSING`, `OUT_OF_MEMORY` if its cache can never fit; if a retry may work: `QUEUE_FULL`; and
    ///     `SERVICE_CLOSED`
    public Ticket submit(ServingRequest request, ServingListener listener) {
        return submit(List.of(request), _ -> listener).getFirst();
    }

    /// Takes requests that belong together: all of them, or none. In the queue they count as one request. Returns at once.
    ///
    /// @param group     at least one, all of one client
    /// @param listeners of the requests, by their places in the group
    /// @return in the order of the group
    /// @throws OutriderException as [#submit(ServingRequest, ServingListener)]; then nothing has begun
    public List<Ticket> submit(List<ServingRequest> group, IntFunction<ServingListener> listeners) {
        var jobs = new ArrayList<Job>();
        for (var request : group) {
            requireServable(target, request.variant());
            var listener = listeners.apply(jobs.size());
            jobs.add(new Job(request, plan(request), listener, ticker, scorer, meter));
        }
        undone.addAll(jobs);
        var refusal = loop.offer(jobs);
        if (refusal.isPresent()) {
            jobs.forEach(undone::remove);
            throw refusal.get().equals(ErrorCode.QUEUE_FULL) ? full() : closed();
        }
        for (var job : jobs) {
            var _ = job.completion().whenComplete((_, _) -> undone.remove(job));
        }
        return List.copyOf(jobs);
    }

    private Plan plan(ServingRequest request) {
        var variant = request.variant();
        var pairing = variant.pairing(request.sampling().policy());
        boolean scoring = request.ending().maxTokens() == 0;
        var decoder =
                scoring
                        ? Decoder.plain(target, pairing.rule(), ticker)
                        : decoder(request, variant.decoder().withRule(pairing.rule()));
        var decoded =
                new DecodeRequest(
                        request.prompt().array(),
                        Math.max(1, request.ending().maxTokens()),
                        pairing.policy(),
                        request.ending().stop(),
                        request.ending().ignoreEndOfSequence(),
                        request.prompt().source(),
                        true);
        RequestLimits.require(target.description(), decoded);
        int longest = decoded.prompt().length + decoded.maxTokens();
        long rows = (long) decoder.capacity(longest) + decoded.source().size();
        long bytes = rows * bytesPerPosition(decoder);
        if (bytes > limits.cacheBytes()) {
            throw ErrorCode.OUT_OF_MEMORY.error(
                    "the caches of a request of %d tokens take %d bytes, but the server has %d for all requests"
                            .formatted(longest, bytes, limits.cacheBytes()),
                    "Ask for fewer tokens, or give the server more cache memory.");
        }
        return new Plan(decoder, decoded, bytes);
    }

    private static Decoder decoder(ServingRequest request, Decoder decoder) {
        var chain = decoder.processors();
        var processors = new ArrayList<>(chain.processors());
        processors.addAll(request.sampling().processors());
        var drafting =
                request.draftLength().isPresent()
                        ? decoder.withDrafting(
                                decoder.drafter(),
                                new FixedLength(request.draftLength().getAsInt()))
                        : decoder;
        return drafting.withProcessors(chain.withProcessors(processors));
    }

    /// Returns the bytes of a position in the caches of target and drafter, as far as these are known.
    private static long bytesPerPosition(Decoder decoder) {
        long own =
                decoder.target()
                        .capability(CacheMemory.class)
                        .map(CacheMemory::bytesPerPosition)
                        .orElse(0L);
        return own
                + decoder.drafter()
                        .filter(CacheMemory.class::isInstance)
                        .map(CacheMemory.class::cast)
                        .map(CacheMemory::bytesPerPosition)
                        .orElse(0L);
    }

    private static OutriderException closed() {
        return ErrorCode.SERVICE_CLOSED.error(
                "the server takes no more requests", "Send it again when the server runs again.");
    }

    private OutriderException full() {
        meter.refused();
        return ErrorCode.QUEUE_FULL.error(
                "%d requests wait and %d are served, the most that the server keeps"
                        .formatted(limits.maxQueued(), limits.maxSequences()),
                "Send it again in %d s, or raise the limit.".formatted(retryAfter().toSeconds()));
    }

    /// Returns an estimate of the time after which a request that was refused with `QUEUE_FULL` would be accepted, in whole
    /// seconds, at least one: the time after which one of the running requests ends.
    public Duration retryAfter() {
        double seconds = meter.servedSeconds() / limits.maxSequences();
        return Duration.ofSeconds(Math.max(1, (long) Math.ceil(seconds)));
    }

    /// Returns the counters so far.
    public ServingCounters counters() {
        return loop.counters();
    }

    /// Accepts no more requests, waits for the accepted ones, ends those that are not done in time with their text so far, and
    /// returns when their listeners were told, or had two seconds for it. Idempotent.
    ///
    /// @param grace time for running requests
    public void close(Duration grace) {
        loop.close(!grace.isPositive());
        boolean interrupted = false;
        try {
            if (grace.isPositive() && !thread.join(grace)) {
                loop.close(true);
            }
        } catch (InterruptedException e) {
            interrupted = true;
            loop.close(true);
        }
        // The sessions must be closed before the target, so this wait has no limit.
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        var told = undone.stream().map(Job::completion).toArray(CompletableFuture<?>[]::new);
        var _ =
                CompletableFuture.allOf(told)
                        .handle((_, _) -> true)
                        .completeOnTimeout(false, LISTENERS.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// [#close(Duration)] without grace.
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
