package dev.outrider.nn.target;

import dev.outrider.common.CacheMemory;
import dev.outrider.common.PrefixSharing;
import dev.outrider.common.Undo;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowCopying;
import dev.outrider.nn.target.PassScores.SharedPass;
import dev.outrider.nn.target.PromptStore.Beginning;
import dev.outrider.nn.target.ScoringPass.StagedTree;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A decoder network as a target. Passes of all sessions are serialised by the network.
public final class NetworkTarget implements TargetModel {
    /// Most prompt tokens in one pass: enough for fast matrix products, few enough for small masks.
    public static final int PREFILL_ROWS = 128;

    /// Kept prompts may use at most this part of the available memory: the rest is for sequences.
    private static final int PART_OF_AVAILABLE = 4;

    private final TargetDescription description;
    private final Tokenizer tokenizer;
    private final DecoderNetwork network;
    private final long bytesPerRow;
    private final LongSupplier availableBytes;
    private final Optional<ChatFormatter> chat;
    private final List<PromptStore> stores = new CopyOnWriteArrayList<>();

    /// Makes a target that has no form for conversations.
    ///
    /// @param network        owned from now on
    /// @param bytesPerRow    cache bytes of one token
    /// @param availableBytes native memory that is still available
    public NetworkTarget(
            TargetDescription description,
            Tokenizer tokenizer,
            DecoderNetwork network,
            long bytesPerRow,
            LongSupplier availableBytes) {
        this(description, tokenizer, network, bytesPerRow, availableBytes, Optional.empty());
    }

    /// @param network        owned from now on
    /// @param bytesPerRow    cache bytes of one token
    /// @param availableBytes native memory that is still available
    /// @param chat           the form of conversations, if it was trained on one
    public NetworkTarget(
            TargetDescription description,
            Tokenizer tokenizer,
            DecoderNetwork network,
            long bytesPerRow,
            LongSupplier availableBytes,
            Optional<ChatFormatter> chat) {
        this.description = description;
        this.tokenizer = tokenizer;
        this.network = network;
        this.bytesPerRow = bytesPerRow;
        this.availableBytes = availableBytes;
        this.chat = chat;
    }

    @Override
    public TargetDescription description() {
        return description;
    }

    @Override
    public Tokenizer tokenizer() {
        return tokenizer;
    }

    @Override
    public TargetSession open(SessionRequest request) {
        return session(request);
    }

    NetworkSession session(SessionRequest request) {
        int capacity = request.capacity();
        requirePositions(capacity);
        var source = source(request.source());
        long demand = Math.multiplyExact((long) capacity + source.length, bytesPerRow);
        long available = availableBytes.getAsLong();
        if (demand > available) {
            throw TargetErrors.outOfMemory(
                    "the cache of a sequence of %d tokens".formatted(capacity),
                    description.name(),
                    demand,
                    available);
        }
        var cache =
                network instanceof EncoderDecoderNetwork reading
                        ? reading.newCache(capacity, source)
                        : network.newCache(capacity);
        return new NetworkSession(this, cache, request.hiddenStates());
    }

    private void requirePositions(int capacity) {
        if (capacity > description.maxPositions()) {
            throw TargetErrors.capacityExceedsPositions(
                    description.name(), capacity, description.maxPositions());
        }
    }

    /// Checks that a sequence may begin with tokens.
    void requireReadable(int[] tokens) {
        requirePositions(tokens.length);
        requireTokens(tokens);
    }

    /// Returns the source of a sequence, checked; empty for a decoder alone.
    private int[] source(List<Integer> source) {
        var reading = description.sources();
        if (reading.isEmpty() && !source.isEmpty()) {
            throw TargetErrors.sourceUnexpected(description.name(), source.size());
        }
        if (reading.isPresent() && source.isEmpty()) {
            throw TargetErrors.sourceMissing(description.name());
        }
        if (reading.isPresent() && source.size() > reading.get().maxPositions()) {
            throw TargetErrors.sourceTooLong(
                    description.name(), source.size(), reading.get().maxPositions());
        }
        var tokens = source.stream().mapToInt(Integer::intValue).toArray();
        requireTokens(tokens);
        return tokens;
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        var entered = new ArrayList<NetworkSession>();
        try {
            for (var request : requests) {
                var session = session(request.session());
                session.enter();
                entered.add(session);
            }
            return scored(requests);
        } finally {
            entered.forEach(NetworkSession::leave);
        }
    }

    private List<TargetScores> scored(List<ScoreRequest> requests) {
        var sessions = requests.stream().map(request -> session(request.session())).toList();
        for (int index = 0; index < sessions.size(); index++) {
            sessions.get(index).requireFits(requests.get(index).tree());
        }
        return undivided(
                sessions,
                () -> {
                    var staged = new ArrayList<StagedTree>();
                    for (int index = 0; index < sessions.size(); index++) {
                        staged.add(sessions.get(index).stage(requests.get(index).tree()));
                    }
                    var scores = new ScoringPass(network, description).score(staged);
                    sessions.forEach(NetworkSession::forgetDraftRows);
                    return scores;
                });
    }

    /// Runs a pass. If it fails, no session keeps a tree that was not scored.
    private static <T> T undivided(List<NetworkSession> sessions, Supplier<T> pass) {
        return Undo.onFailure(() -> sessions.forEach(NetworkSession::dropUndecided), pass);
    }

    /// Returns the capability of the wanted type: the network, its capabilities for drafters, the form of conversations, the size
    /// of caches, or the sharing of prompts.
    @Override
    public <T> Optional<T> capability(Class<T> type) {
        if (type == PrefixSharing.class) {
            return network instanceof RowCopying
                    ? Optional.of(type.cast((PrefixSharing) this::keep))
                    : Optional.empty();
        }
        if (type == CacheMemory.class) {
            CacheMemory memory = () -> bytesPerRow;
            return Optional.of(type.cast(memory));
        }
        return type == ChatFormatter.class ? chat.map(type::cast) : network.capability(type);
    }

    private PromptStore keep(long bytes, Set<HiddenState> states) {
        long each = (long) states.size() * description.hiddenSize() * Float.BYTES;
        long most = Math.min(bytes, availableBytes.getAsLong() / PART_OF_AVAILABLE);
        var store = new PromptStore(this, most, states, bytesPerRow + each);
        stores.add(store);
        return store;
    }

    void forget(PromptStore store) {
        stores.remove(store);
    }

    /// Returns the longest kept beginning of some tokens that has the wanted states. The caller closes it.
    Optional<Beginning> beginning(int[] tokens, Set<HiddenState> wanted) {
        return stores.stream()
                .max(Comparator.comparingInt(each -> each.longest(tokens, wanted)))
                .flatMap(each -> each.beginning(tokens, wanted));
    }

    /// Copies rows that another session of this target has read.
    void copy(KvCache from, int rows, KvCache to) {
        ((RowCopying) network).copy(from, rows, to);
    }

    @Override
    public Set<Class<?>> sessionCapabilities() {
        return network instanceof LayeredNetwork ? Set.of(PartialPasses.class) : Set.of();
    }

    @Override
    public void close() {
        network.close();
    }

    DecoderNetwork network() {
        return network;
    }

    private NetworkSession session(TargetSession session) {
        if (session instanceof NetworkSession own && own.model() == this) {
            return own;
        }
        throw new IllegalArgumentException(
                "the session does not belong to target '%s'".formatted(description.name()));
    }

    void requireTokens(int[] tokens) {
        for (int index = 0; index < tokens.length; index++) {
            if (tokens[index] < 0 || tokens[index] >= description.vocabularySize()) {
                throw TargetErrors.tokenOutOfRange(
                        description.name(), tokens[index], index, description.vocabularySize());
            }
        }
    }

    /// Scores the nodes of a tree that a session does not hold.
    TargetScores grow(NetworkSession session, TokenTree tree) {
        try (var _ = session.entered()) {
            session.requireFits(tree);
            int rows = tree.size() - session.held(tree);
            var states = session.hiddenStates();
            var result =
                    undivided(
                            List.of(session),
                            () ->
                                    network.forward(
                                            List.of(session.stageGrowth(tree)),
                                            new PassOutputs(PassOutputs.LogitRows.ALL, states)));
            return PassScores.inOrder(
                    new SharedPass(result, 1), rows, states, description.vocabularySize());
        }
    }

    TargetScores score(NetworkSession session, TokenTree tree) {
        return scoreAll(List.of(new ScoreRequest(session, tree))).getFirst();
    }
}
