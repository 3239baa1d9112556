package dev.outrider.onednn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Loader;

/// The part of oneDNN's C interface that multiplies integers. Handles are addresses; a method that makes a handle does not release
/// it unless stated. Thread-safe.
///
/// @see "oneDNN 3.11, dnnl.h and dnnl_types.h"
final class OneDnn {
    /// Types of numbers.
    static final int S8 = 5;

    static final int S32 = 4;

    /// Layouts: row-major, column-major, or the library's choice.
    static final int ROWS = 3;

    static final int COLUMNS = 14;
    static final int ANY = 1;

    /// Roles of a primitive's arguments.
    static final int SOURCE = 1;

    static final int WEIGHTS = 33;
    static final int DESTINATION = 17;
    static final int SCRATCHPAD = 80;

    /// Queries of a primitive's description.
    static final int WEIGHTS_LAYOUT = 131;

    static final int SCRATCHPAD_LAYOUT = 136;
    private static final int IMPLEMENTATION = 8;

    private static final int CPU = 1;
    private static final int IN_ORDER = 1;
    private static final int SCRATCHPAD_OF_CALLER = 1;

    /// `dnnl_exec_arg_t`.
    private static final MemoryLayout ARGUMENT =
            MemoryLayout.structLayout(JAVA_INT, MemoryLayout.paddingLayout(4), ADDRESS);

    private final SymbolLookup symbols;
    private final MethodHandle describe;
    private final MethodHandle describeStrided;
    private final MethodHandle size;
    private final MethodHandle matmul;
    private final MethodHandle reorder;
    private final MethodHandle layout;
    private final MethodHandle query;
    private final MethodHandle primitive;
    private final MethodHandle memory;
    private final MethodHandle place;
    private final MethodHandle release;
    private final MethodHandle execute;
    private final MethodHandle stream;
    private final MethodHandle threads;
    private final MemorySegment engine;
    private final MemorySegment attributes;

    /// Loads the library.
    ///
    /// @throws java.io.IOException if there is none for this machine
    OneDnn() throws IOException {
        var libraries = Libraries.load();
        var openMp = libraries.openMp();
        symbols = libraries.oneDnn();
        threads =
                Linker.nativeLinker()
                        .downcallHandle(
                                openMp.findOrThrow("omp_set_num_threads"),
                                FunctionDescriptor.ofVoid(JAVA_INT));
        describe =
                function(
                        "dnnl_memory_desc_create_with_tag",
                        ADDRESS,
                        JAVA_INT,
                        ADDRESS,
                        JAVA_INT,
                        JAVA_INT);
        describeStrided =
                function(
                        "dnnl_memory_desc_create_with_strides",
                        ADDRESS,
                        JAVA_INT,
                        ADDRESS,
                        JAVA_INT,
                        ADDRESS);
        size = function(JAVA_LONG, "dnnl_memory_desc_get_size", ADDRESS);
        matmul =
                function(
                        "dnnl_matmul_primitive_desc_create",
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS);
        reorder =
                function(
                        "dnnl_reorder_primitive_desc_create",
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        ADDRESS);
        layout = function(ADDRESS, "dnnl_primitive_desc_query_md", ADDRESS, JAVA_INT, JAVA_INT);
        query = function("dnnl_primitive_desc_query", ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
        primitive = function("dnnl_primitive_create", ADDRESS, ADDRESS);
        memory = function("dnnl_memory_create", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
        place = function("dnnl_memory_set_data_handle", ADDRESS, ADDRESS);
        release = function("dnnl_memory_destroy", ADDRESS);
        execute = function("dnnl_primitive_execute", ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
        stream = function("dnnl_stream_create", ADDRESS, ADDRESS, JAVA_INT);
        var engineOf = function("dnnl_engine_create", ADDRESS, JAVA_INT, JAVA_LONG);
        engine = made(out -> (int) engineOf.invokeExact(out, CPU, 0L));
        var attributesOf = function("dnnl_primitive_attr_create", ADDRESS);
        attributes = made(out -> (int) attributesOf.invokeExact(out));
        var scratchpad = function("dnnl_primitive_attr_set_scratchpad_mode", ADDRESS, JAVA_INT);
        done(() -> (int) scratchpad.invokeExact(attributes, SCRATCHPAD_OF_CALLER));
    }

    private MethodHandle function(String name, MemoryLayout... arguments) {
        return function(JAVA_INT, name, arguments);
    }

    private MethodHandle function(MemoryLayout result, String name, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(
                        symbols.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    @FunctionalInterface
    private interface Call<T> {
        T call() throws Throwable;
    }

    @FunctionalInterface
    private interface Maker {
        int make(MemorySegment out) throws Throwable;
    }

    private static void done(Call<Integer> call) {
        require(answer(call));
    }

    private static void require(int status) {
        if (status != 0) {
            throw new IllegalStateException("oneDNN answers with status " + status);
        }
    }

    private static <T> T answer(Call<T> call) {
        try {
            return call.call();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MemorySegment made(Maker maker) {
        try (var arena = Arena.ofConfined()) {
            var out = arena.allocate(ADDRESS);
            done(() -> maker.make(out));
            return out.get(ADDRESS, 0);
        }
    }

    /// Prevents the calling thread's primitives from starting threads of their own.
    void alone() {
        try {
            threads.invokeExact(1);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Its version.
    String version() {
        var version = function(ADDRESS, "dnnl_version");
        var numbers =
                answer(() -> (MemorySegment) version.invokeExact()).reinterpret(2L * Integer.BYTES);
        return numbers.get(JAVA_INT, 0) + "." + numbers.get(JAVA_INT, Integer.BYTES);
    }

    /// A description of a matrix.
    MemorySegment describe(long rows, long columns, int type, int layout) {
        try (var arena = Arena.ofConfined()) {
            var shape = arena.allocateFrom(JAVA_LONG, rows, columns);
            return made(out -> (int) describe.invokeExact(out, 2, shape, type, layout));
        }
    }

    /// A description of a matrix within a wider one.
    MemorySegment describeStrided(long rows, long columns, int type, long stride) {
        try (var arena = Arena.ofConfined()) {
            var shape = arena.allocateFrom(JAVA_LONG, rows, columns);
            var strides = arena.allocateFrom(JAVA_LONG, stride, 1);
            return made(out -> (int) describeStrided.invokeExact(out, 2, shape, type, strides));
        }
    }

    /// Returns the bytes of a described matrix.
    long size(MemorySegment description) {
        return answer(() -> (long) size.invokeExact(description));
    }

    /// A description of a multiplication.
    MemorySegment matmul(MemorySegment source, MemorySegment weights, MemorySegment to) {
        return made(out ->
                (int)
                        matmul.invokeExact(
                                out, engine, source, weights, MemorySegment.NULL, to, attributes));
    }

    /// A description of a change of layout.
    MemorySegment reorder(MemorySegment from, MemorySegment to) {
        return made(out -> (int) reorder.invokeExact(out, from, engine, to, engine, attributes));
    }

    /// Returns the description of one of a primitive's arguments.
    MemorySegment layout(MemorySegment description, int which) {
        return answer(() -> (MemorySegment) layout.invokeExact(description, which, 0));
    }

    /// Returns the library's name of the code that runs a primitive.
    String implementation(MemorySegment description) {
        var text = made(out -> (int) query.invokeExact(description, IMPLEMENTATION, 0, out));
        return text.reinterpret(Short.MAX_VALUE).getString(0);
    }

    /// A primitive, which any number of threads may run.
    MemorySegment primitive(MemorySegment description) {
        return made(out -> (int) primitive.invokeExact(out, description));
    }

    /// Returns an argument without memory.
    MemorySegment memory(MemorySegment description) {
        return made(out -> (int) memory.invokeExact(out, description, engine, MemorySegment.NULL));
    }

    /// Sets the memory of an argument's numbers.
    void place(MemorySegment memory, MemorySegment numbers) {
        int status; // Every product calls this; a lambda would be made each time.
        try {
            status = (int) place.invokeExact(memory, numbers);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        require(status);
    }

    /// Releases an argument.
    void release(MemorySegment memory) {
        done(() -> (int) release.invokeExact(memory));
    }

    /// Returns a stream, the order of work of a thread.
    MemorySegment stream() {
        return made(out -> (int) stream.invokeExact(out, engine, IN_ORDER));
    }

    /// Arguments of a primitive.
    static MemorySegment arguments(Arena arena, int count) {
        return arena.allocate(ARGUMENT, count);
    }

    /// Sets an argument.
    static void argument(MemorySegment arguments, int index, int what, MemorySegment memory) {
        long at = index * ARGUMENT.byteSize();
        arguments.set(JAVA_INT, at, what);
        arguments.set(ADDRESS, at + ADDRESS.byteSize(), memory);
    }

    /// Runs a primitive.
    void execute(MemorySegment primitive, MemorySegment stream, MemorySegment arguments) {
        int count = (int) (arguments.byteSize() / ARGUMENT.byteSize());
        int status;
        try {
            status = (int) execute.invokeExact(primitive, stream, count, arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        require(status);
    }

    /// The libraries, loaded from the class path.
    ///
    /// @param openMp the library of the threads
    /// @param oneDnn the library itself
    record Libraries(SymbolLookup openMp, SymbolLookup oneDnn) {
        private static final String FOLDER = "/org/bytedeco/dnnl/";

        /// With one of these variables OpenMP binds every thread that calls it to a processor, perhaps the passes' threads to the
        /// same one.
        private static final List<String> BINDINGS =
                List.of("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY");

        /// Loads them.
        ///
        /// @throws IOException if there are none for this machine
        static Libraries load() throws IOException {
            String folder = FOLDER + Loader.getPlatform() + "/";
            // The OpenMP library first, because oneDNN needs it; it reads the environment only when
            // it is loaded.
            return new Libraries(unbound(folder + "libgomp.so.1"), find(folder + "libdnnl.so.3"));
        }

        private static SymbolLookup unbound(String resource) throws IOException {
            var unset = function("unsetenv", FunctionDescriptor.of(JAVA_INT, ADDRESS));
            var set =
                    function("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
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
}
