package dev.outrider.hub;

/// Told how far a download is. Called by the thread that downloads.
public interface PullListener {
    /// Returns a listener that ignores everything.
    static PullListener none() {
        return new PullListener() {
            @Override
            public void at(String file, long done, long total) {}

            @Override
            public void waiting(String file) {}
        };
    }

    /// Some bytes more are there.
    ///
    /// @param file  that is coming
    /// @param done  bytes of all files that are there, those of earlier runs included
    /// @param total bytes of all files known to be needed, which grows when an index is read
    void at(String file, long done, long total);

    /// Another process is fetching a file; this one waits for it.
    void waiting(String file);
}
