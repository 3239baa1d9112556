package dev.outrider.hub;

import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.ProcessLock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Models of the hub in the cache of this machine. Thread-safe; several processes may share a
/// cache.
public final class Hub {
    private static final int LONGEST_INDEX = 64 << 20;

    /// File locks belong to processes, so they do not separate threads of one process.
    private static final ReentrantLock PULLING = new ReentrantLock();

    private final HubSettings settings;
    private final HubCache cache;
    private final HubClient.Patience patience;

    /// @param settings addresses of hub and cache
    public Hub(HubSettings settings) {
        this(settings, HubClient.Patience.usual());
    }

    Hub(HubSettings settings, HubClient.Patience patience) {
        this.settings = settings;
        this.cache = new HubCache(settings.cache());
        this.patience = patience;
    }

    /// Returns the folder of a model in the cache, without a request. The revision is taken as a
    /// commit.
    public Path place(HubName name) {
        return file(name, cache.snapshot(name, cache.commit(name).orElse(name.revision())));
    }

    /// Returns a model that is complete on this machine, whichever program downloaded it. Sends no
    /// request: a branch is the commit of the last download.
    public Optional<Snapshot> cached(HubName name) {
        return cache.commit(name)
                .filter(commit -> isWhole(name, commit))
                .map(commit -> snapshot(name, commit));
    }

    private boolean isWhole(HubName name, String commit) {
        var folder = cache.snapshot(name, commit);
        if (name.file().isPresent()) {
            return Files.isRegularFile(folder.resolve(name.file().get()));
        }
        return NeededFiles.CORE.stream()
                        .allMatch(file ->
                                Files.isRegularFile(folder.resolve(file))
                                        || cache.isAbsent(name, commit, file))
                && hasWeights(name, folder);
    }

    private static boolean hasWeights(HubName name, Path folder) {
        if (Files.isRegularFile(folder.resolve(NeededFiles.WEIGHTS))) {
            return true;
        }
        var index = folder.resolve(NeededFiles.INDEX);
        try {
            return Files.isRegularFile(index)
                    && ListingReader.shards(name, BoundedFile.bytes(index, LONGEST_INDEX)).stream()
                            .allMatch(file -> Files.isRegularFile(folder.resolve(file)));
        } catch (IOException | OutriderException e) {
            return false; // fetched again, with a message if it is no better then
        }
    }

    /// Asks the hub for the commit of a name and downloads what is missing on this machine.
    ///
    /// @param cancelled whether to stop; downloaded bytes stay, and the next call continues from
    ///     there
    /// @return the model; nothing if cancelled
    /// @throws OutriderException `HUB_OFFLINE`, `HUB_ACCESS_DENIED`, `HUB_NOT_FOUND`,
    ///     `HUB_UNREACHABLE`, `HUB_ANSWER_INVALID`, `HUB_CONTENT_WRONG`; `PICKLE_REFUSED` or
    ///     `CHECKPOINT_INCOMPLETE` if there are no weights that can be read; `IO_FAILED` if the
    ///     cache cannot be written, or the disk has too little space
    public Optional<Snapshot> pull(HubName name, PullListener listener, BooleanSupplier cancelled) {
        if (settings.offline()) {
            return Optional.of(cached(name).orElseThrow(() -> HubErrors.offline(name)));
        }
        PULLING.lock();
        try (var client = new HubClient(settings, patience)) {
            return pulled(client, name, listener, cancelled);
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "the cache '%s' cannot be written: %s"
                            .formatted(cache.root(), FailureReason.of(e)),
                    "Check permissions and space, or set HF_HUB_CACHE to another folder.",
                    e);
        } finally {
            PULLING.unlock();
        }
    }

    private Optional<Snapshot> pulled(
            HubClient client, HubName name, PullListener listener, BooleanSupplier cancelled)
            throws IOException {
        var listing = client.listing(name, cancelled);
        requireAsked(name, listing.commit());
        var pull = new Pull(client, cache, patience, name, listing.commit());
        if (!pull.files(NeededFiles.of(name, listing.files()), listener, cancelled)
                || !shards(pull, name, listing, listener, cancelled)) {
            return Optional.empty();
        }
        remember(name, listing);
        return Optional.of(snapshot(name, listing.commit()));
    }

    /// Fails if a commit was asked for and the hub answers with another.
    private static void requireAsked(HubName name, String commit) {
        if (ContentHash.isCommit(name.revision()) && !name.revision().equals(commit)) {
            throw HubErrors.invalid("the hub gives the commit %s for '%s'".formatted(commit, name));
        }
    }

    /// Downloads a model unless it is on this machine.
    ///
    /// @throws OutriderException as [#pull]
    public Optional<Snapshot> require(
            HubName name, PullListener listener, BooleanSupplier cancelled) {
        return cached(name).or(() -> pull(name, listener, cancelled));
    }

    private boolean shards(
            Pull pull,
            HubName name,
            ListingReader.Listing listing,
            PullListener listener,
            BooleanSupplier cancelled)
            throws IOException {
        var index = cache.snapshot(name, listing.commit()).resolve(NeededFiles.INDEX);
        boolean several = name.file().isEmpty() && !listing.files().contains(NeededFiles.WEIGHTS);
        if (!several) {
            return true;
        }
        var shards = ListingReader.shards(name, BoundedFile.bytes(index, LONGEST_INDEX));
        for (var shard : shards) {
            if (!listing.files().contains(shard)) {
                throw HubErrors.invalid(
                        "the index of the weights of '%s' names '%s', which it does not have"
                                .formatted(name, shard));
            }
        }
        return pull.files(List.copyOf(shards), listener, cancelled);
    }

    private void remember(HubName name, ListingReader.Listing listing) throws IOException {
        if (name.file().isEmpty()) {
            for (var file : NeededFiles.CORE) {
                if (!listing.files().contains(file)) {
                    cache.markAbsent(name, listing.commit(), file);
                }
            }
        }
        cache.remember(name, listing.commit());
    }

    private Snapshot snapshot(HubName name, String commit) {
        return new Snapshot(name, commit, file(name, cache.snapshot(name, commit)));
    }

    private static Path file(HubName name, Path folder) {
        return name.file().map(folder::resolve).orElse(folder);
    }

    /// Downloads files of one commit into the cache. Confined to one thread.
    static final class Pull {
        private static final long MEGABYTE = 1_000_000;

        private final HubClient client;
        private final HubCache cache;
        private final HubClient.Patience patience;
        private final HubName name;
        private final String commit;

        /// Bytes of all files requested so far, and of those that are present.
        private long total;

        private long done;

        Pull(
                HubClient client,
                HubCache cache,
                HubClient.Patience patience,
                HubName name,
                String commit) {
            this.client = client;
            this.cache = cache;
            this.patience = patience;
            this.name = name;
            this.commit = commit;
        }

        /// Downloads missing files, if the disk has room for all of them.
        ///
        /// @return true if all are present; false if cancelled
        boolean files(List<String> names, PullListener listener, BooleanSupplier cancelled)
                throws IOException {
            var files = new ArrayList<HubClient.RemoteFile>();
            for (var file : names) {
                if (cancelled.getAsBoolean()) {
                    return false;
                }
                files.add(client.describe(name, commit, file, cancelled));
            }
            requireSpace(files);
            for (var file : files) {
                total = sum(total, file.size());
            }
            for (var file : files) {
                if (cancelled.getAsBoolean() || !file(file, listener, cancelled)) {
                    return false;
                }
            }
            return true;
        }

        private void requireSpace(List<HubClient.RemoteFile> files) throws IOException {
            long missing = 0;
            for (var file : files) {
                if (!cache.has(name, file)) {
                    long begun = Math.min(file.size(), cache.begun(name, file.hash()));
                    missing = sum(missing, file.size() - begun);
                }
            }
            long usable = cache.usableBytes();
            if (missing > usable) {
                throw ErrorCode.IO_FAILED.error(
                        "'%s' needs %d MB more, and the disk of '%s' has %d MB left"
                                .formatted(
                                        name, missing / MEGABYTE, cache.root(), usable / MEGABYTE),
                        "Free space, or set HF_HUB_CACHE to a folder on another disk.");
            }
        }

        /// Sizes come from the server, so their sum may overflow.
        private static long sum(long one, long other) {
            return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
        }

        private boolean file(
                HubClient.RemoteFile file, PullListener listener, BooleanSupplier cancelled)
                throws IOException {
            long before = done;
            listener.at(file.name(), before, total);
            if (!cache.has(name, file) && !fetched(file, before, listener, cancelled)) {
                return false;
            }
            cache.link(name, commit, file.name(), file.hash());
            done = before + file.size();
            listener.at(file.name(), done, total);
            return true;
        }

        private boolean fetched(
                HubClient.RemoteFile file,
                long before,
                PullListener listener,
                BooleanSupplier cancelled)
                throws IOException {
            boolean told = false;
            while (!cancelled.getAsBoolean()) {
                var lock = ProcessLock.tryTake(cache.lock(name, file.hash()));
                if (lock.isPresent()) {
                    try (var _ = lock.get()) {
                        return cache.has(name, file)
                                || new BlobDownload(client, patience, name, commit, file)
                                        .fetch(
                                                cache.incomplete(name, file.hash()),
                                                cache.blob(name, file.hash()),
                                                have ->
                                                        listener.at(
                                                                file.name(), before + have, total),
                                                cancelled);
                    }
                }
                if (!told) {
                    listener.waiting(file.name());
                    told = true;
                }
                patience.moment();
            }
            return false;
        }
    }

    /// A model of the hub on this machine.
    ///
    /// @param name   the name as given
    /// @param commit the commit of its revision: 40 hexadecimal digits
    /// @param path   the checkpoint's folder, or the single file that was named
    public record Snapshot(HubName name, String commit, Path path) {}
}
