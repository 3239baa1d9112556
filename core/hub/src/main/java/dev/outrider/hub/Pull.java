package dev.outrider.hub;

import dev.outrider.common.ProcessLock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Fetches files of one commit into the cache. Confined to one thread.
final class Pull {
    private static final long MEGABYTE = 1_000_000;

    private final HubClient client;
    private final HubCache cache;
    private final Patience patience;
    private final HubName name;
    private final String commit;

    /// Bytes of all files asked for so far, and of those that are there.
    private long total;

    private long done;

    Pull(HubClient client, HubCache cache, Patience patience, HubName name, String commit) {
        this.client = client;
        this.cache = cache;
        this.patience = patience;
        this.name = name;
        this.commit = commit;
    }

    /// Fetch files that are not there, if the disk has room for all of them.
    ///
    /// @return whether they are there; not if it was cancelled
    boolean files(List<String> names, PullListener listener, BooleanSupplier cancelled)
            throws IOException {
        var files = new ArrayList<RemoteFile>();
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

    private void requireSpace(List<RemoteFile> files) throws IOException {
        long missing = 0;
        for (var file : files) {
            if (!cache.has(name, file)) {
                long begun = Math.min(file.size(), cache.begun(name, file.hash()));
                missing = sum(missing, file.size() - begun);
            }
        }
        long usable = cache.usableBytes();
        if (missing > usable) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "'%s' needs %d MB more, and the disk of '%s' has %d MB left"
                            .formatted(name, missing / MEGABYTE, cache.root(), usable / MEGABYTE),
                    "Free space, or set HF_HUB_CACHE to a folder on another disk.");
        }
    }

    /// Sizes are what a server says they are.
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    private boolean file(RemoteFile file, PullListener listener, BooleanSupplier cancelled)
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
            RemoteFile file, long before, PullListener listener, BooleanSupplier cancelled)
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
                                            have -> listener.at(file.name(), before + have, total),
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
