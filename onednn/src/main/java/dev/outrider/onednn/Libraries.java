package dev.outrider.onednn;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.bytedeco.javacpp.Loader;

/// The libraries, loaded from the class path.
///
/// @param openMp what the other finds its threads with
/// @param oneDnn the library itself
record Libraries(SymbolLookup openMp, SymbolLookup oneDnn) {
    private static final String FOLDER = "/org/bytedeco/dnnl/";

    /// Loads them, in a thread of its own: OpenMP binds the thread that loads it to a processor if `OMP_PROC_BIND` says so, and
    /// with it all threads that this one starts.
    ///
    /// @throws UnsupportedOperationException if there are none for this machine
    static Libraries load() {
        var loading = new FutureTask<>(Libraries::find);
        var thread = new Thread(loading, "outrider-onednn");
        thread.start();
        try {
            thread.join();
            return loading.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnsupportedOperationException("oneDNN was not loaded", e);
        } catch (ExecutionException e) {
            throw new UnsupportedOperationException(e.getCause());
        }
    }

    private static Libraries find() {
        String folder = FOLDER + Loader.getPlatform() + "/";
        // First what the other looks for.
        return new Libraries(find(folder + "libgomp.so.1"), find(folder + "libdnnl.so.3"));
    }

    private static SymbolLookup find(String resource) {
        try {
            var file = Loader.cacheResource(Libraries.class, resource);
            if (file == null) {
                throw new UnsupportedOperationException("there is no " + resource);
            }
            return SymbolLookup.libraryLookup(Path.of(file.getPath()), Arena.global());
        } catch (IOException | IllegalArgumentException e) {
            throw new UnsupportedOperationException(resource + " cannot be loaded", e);
        }
    }
}
