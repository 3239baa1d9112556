package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.SharedPrompts;
import java.util.HashMap;
import java.util.Map;

/// Reads the prompts of a comparison once for all its variants, if its plan shares them, and knows what that took: every variant's time has
/// it. Confined to one thread.
final class PromptReads implements AutoCloseable {
    private final ComparisonPlan plan;
    private final Ticker ticker;
    private SharedPrompts shared = SharedPrompts.none();

    /// By prompt, what it took to read it last.
    private final Map<Integer, Long> nanos = new HashMap<>();

    PromptReads(ComparisonPlan plan, Ticker ticker) {
        this.plan = plan;
        this.ticker = ticker;
    }

    /// Forgets what was read, and starts to share if the plan says so.
    void begin() {
        close();
        nanos.clear();
        if (plan.sharesPrompts()) {
            var decoders = plan.variants().stream().map(Variant::decoder).toList();
            shared = SharedPrompts.of(decoders.getFirst().target(), decoders);
        }
    }

    /// Reads a prompt, unless it is kept.
    ///
    /// @return nanoseconds that reading took; 0 if every variant reads it for itself
    long read(int prompt) {
        long start = ticker.nanos();
        return switch (shared.read(plan.prompts().get(prompt).array())) {
            case READ -> {
                nanos.put(prompt, ticker.nanos() - start);
                yield nanos.get(prompt);
            }
            case KNOWN -> nanos.getOrDefault(prompt, 0L);
            case REFUSED -> 0;
        };
    }

    @Override
    public void close() {
        shared.close();
        shared = SharedPrompts.none();
    }
}
