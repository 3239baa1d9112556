package dev.outrider.onednn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Loader;

/// The libraries, loaded from the class path.
///
/// @param openMp what the other finds its threads with
/// @param oneDnn the library itself
record Libraries(SymbolLookup openMp, SymbolLookup oneDnn) {
    private static final String FOLDER = "/org/bytedeco/dnnl/";

    /// With one of these OpenMP binds every thread that calls it to a processor, and the passes' threads perhaps to the same.
    private static final List<String> BINDINGS =
            List.of("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY");

    /// Loads them.
    ///
    /// @throws IOException if there are none for this machine
    static Libraries load() throws IOException {
        String folder = FOLDER + Loader.getPlatform() + "/";
        // First what the other looks for; it reads the environment when it is loaded, and only
        // then.
        return new Libraries(unbound(folder + "libgomp.so.1"), find(folder + "libdnnl.so.3"));
    }

    private static SymbolLookup unbound(String resource) throws IOException {
        var unset = function("unsetenv", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        var set = function("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (var arena = Arena.ofConfined()) {
            for (var name : BINDINGS) {
                var ignored = (int) unset.invokeExact(arena.allocateFrom(name));
            }
            try {
                return find(resource);
            } finally {
                for (var name : BINDINGS) {
                    var value = System.getenv(name);
                    if (value != null) {
                        MemorySegment key = arena.allocateFrom(name);
                        var ignored = (int) set.invokeExact(key, arena.allocateFrom(value), 1);
                    }
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        var linker = Linker.nativeLinker();
        var found = linker.defaultLookup().find(name);
        return linker.downcallHandle(found.orElseThrow(), type);
    }

    private static SymbolLookup find(String resource) throws IOException {
        var file = Loader.cacheResource(Libraries.class, resource);
        if (file == null) {
            throw new IOException("there is no " + resource);
        }
        return SymbolLookup.libraryLookup(Path.of(file.getPath()), Arena.global());
    }
}
