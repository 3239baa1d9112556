package dev.outrider.hub;

/// Receives the progress of a download, on the downloading thread.
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

    /// Some more bytes are present.
    ///
    /// @param file  the current file
    /// @param done  bytes of all files that are present, those of earlier runs included
    /// @param total bytes of all files known to be needed; it grows when an index is read
    void at(String file, long done, long total);

    /// Another process is downloading a file; this one waits for it.
    void waiting(String file);
}
