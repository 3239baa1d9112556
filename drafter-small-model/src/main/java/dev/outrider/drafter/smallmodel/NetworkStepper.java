package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeRows;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// One round's draft steps of a decoder network: committed tokens that are not in the cache yet run with
/// the root, then every level of the tree becomes scratch rows.
///
/// Confined to one thread. Close it at the end of the round; scratch rows stay in the cache.
final class NetworkStepper implements DraftStepper, AutoCloseable {
    /// Most committed tokens that are fed in one pass.
    static final int FEED_ROWS = 256;

    private static final PassOutputs NO_LOGITS =
            new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
    private static final PassOutputs LAST_LOGITS =
            new PassOutputs(PassOutputs.LogitRows.LAST, Set.of());

    private final DecoderNetwork network;
    private final KvCache cache;
    private final CommittedTokens tokens;
    private final TreeRows rows = new TreeRows();
    private Optional<PassResult> result = Optional.empty();

    NetworkStepper(DecoderNetwork network, KvCache cache, CommittedTokens tokens) {
        this.network = network;
        this.cache = cache;
        this.tokens = tokens;
    }

    /// Runs committed tokens into the cache up to `length` of them, in several passes if there are many.
    private static void feed(
            DecoderNetwork network, KvCache cache, CommittedTokens tokens, int length) {
        while (cache.length() < length) {
            int end = Math.min(length, cache.length() + FEED_ROWS);
            var block = RowBlock.continuing(cache, tokens.range(cache.length(), end));
            network.forward(List.of(block), NO_LOGITS).close();
            keepAll(cache);
        }
    }

    /// Runs committed tokens except the root into the cache if they are too many for one pass with the root.
    static void feedMany(DecoderNetwork network, KvCache cache, CommittedTokens tokens) {
        if (tokens.length() - cache.length() > FEED_ROWS) {
            feed(network, cache, tokens, tokens.length() - 1);
        }
    }

    @Override
    public LogitRows root() {
        feedMany(network, cache, tokens);
        var pending = tokens.range(cache.length(), tokens.length());
        var pass = run(RowBlock.continuing(cache, pending), LAST_LOGITS);
        keepAll(cache);
        return _ -> pass.logits(pending.length - 1);
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        var pass = run(rows.append(cache, nodes), PassOutputs.allLogits());
        return pass::logits;
    }

    @Override
    public void close() {
        result.ifPresent(PassResult::close);
        result = Optional.empty();
    }

    private PassResult run(RowBlock block, PassOutputs outputs) {
        close();
        var pass = network.forward(List.of(block), outputs);
        result = Optional.of(pass);
        return pass;
    }

    private static void keepAll(KvCache cache) {
        cache.keep(IntStream.range(0, cache.used() - cache.length()).boxed().toList());
    }
}
