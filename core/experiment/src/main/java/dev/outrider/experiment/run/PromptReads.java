package dev.outrider.experiment.run;

import dev.outrider.common.PrefixSharing.Reading;
import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.SharedPrompts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads the prompts of a comparison once for all its variants, if its plan shares them, and measures the time. Every variant's
/// time includes it. Confined to one thread.
final class PromptReads implements AutoCloseable {
    private final ComparisonPlan plan;
    private final Ticker ticker;
    private SharedPrompts shared = SharedPrompts.none();

    /// The nanoseconds of the last reading, by the tokens that were read.
    private final Map<List<Integer>, Long> nanos = new HashMap<>();

    /// Groups that the target does not keep completely.
    private final Set<List<Integer>> unkept = new HashSet<>();

    PromptReads(ComparisonPlan plan, Ticker ticker) {
        this.plan = plan;
        this.ticker = ticker;
    }

    /// Forgets the readings, and starts to share if the plan says so.
    void begin() {
        unkept.clear();
        forget();
    }

    /// Reads the prompts of a group that are not kept. If a group is not kept completely, every variant reads all its prompts, from
    /// the first token.
    void read(List<Integer> group) {
        if (!unkept.contains(group)) {
            group.forEach(this::read);
            if (group.stream().allMatch(this::keeps)) {
                return;
            }
            unkept.add(group);
        }
        forget();
    }

    /// Returns the nanoseconds of reading a prompt; 0 if every variant reads it.
    long nanos(int prompt) {
        return nanos.getOrDefault(beginning(prompt), 0L);
    }

    private Reading read(int prompt) {
        long start = ticker.nanos();
        var reading = shared.read(plan.prompts().get(prompt).array());
        if (reading == Reading.READ) {
            nanos.put(beginning(prompt), ticker.nanos() - start);
        }
        return reading;
    }

    /// Returns whether the target still keeps all of a prompt that was read.
    private boolean keeps(int prompt) {
        return beginning(prompt).isEmpty() || read(prompt) == Reading.KNOWN;
    }

    /// Returns the tokens of a prompt that are read.
    private List<Integer> beginning(int prompt) {
        var ids = plan.prompts().get(prompt).ids();
        return ids.subList(0, Math.max(0, ids.size() - 1));
    }

    private void forget() {
        close();
        nanos.clear();
        if (plan.sharesPrompts()) {
            var decoders = plan.variants().stream().map(Variant::decoder).toList();
            shared = SharedPrompts.of(decoders.getFirst().target(), decoders);
        }
    }

    @Override
    public void close() {
        shared.close();
        shared = SharedPrompts.none();
    }
}
