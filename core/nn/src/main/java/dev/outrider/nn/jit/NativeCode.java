package dev.outrider.nn.jit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/// Functions of machine code. Their memory is never writable and executable at the same time, and stays until the process ends.
/// Thread-safe.
public final class NativeCode {
    private static final byte RETURN = (byte) 0xc3;
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int EXECUTE = 4;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    private NativeCode() {}

    /// Returns whether machine code for some instructions runs here: on Linux, x86-64, in a program that may call native code, where
    /// the system gives memory for code.
    ///
    /// @param instructions their names in [Processor#instructionSets]
    public static boolean runs(List<String> instructions) {
        return "amd64".equals(System.getProperty("os.arch"))
                && NativeCode.class.getModule().isNativeAccessEnabled()
                && Processor.instructionSets().containsAll(instructions)
                && function(new byte[] {RETURN}, 0).isPresent();
    }

    /// Makes a function. It must be short: the virtual machine waits for it before it collects memory.
    ///
    /// @param code      bytes, of which the first instruction is at `entry`
    /// @param arguments 64-bit integers and addresses, at most six; an address may be an array's
    /// @return the function; nothing if the system refuses memory for code
    public static Optional<MethodHandle> function(
            byte[] code, int entry, MemoryLayout... arguments) {
        var linker = Linker.nativeLinker();
        try {
            var map =
                    handle(
                            "mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG);
            long size = code.length;
            var memory =
                    (MemorySegment)
                            map.invokeExact(
                                    MemorySegment.NULL,
                                    size,
                                    READ | WRITE,
                                    PRIVATE_ANONYMOUS,
                                    -1,
                                    0L);
            if (memory.address() == -1) {
                return Optional.empty();
            }
            MemorySegment.copy(MemorySegment.ofArray(code), 0, memory.reinterpret(size), 0, size);
            var protect = handle("mprotect", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
            if ((int) protect.invokeExact(memory, size, READ | EXECUTE) != 0) {
                int unused =
                        (int)
                                handle("munmap", JAVA_INT, ADDRESS, JAVA_LONG)
                                        .invokeExact(memory, size);
                return Optional.empty();
            }
            return Optional.of(
                    linker.downcallHandle(
                            MemorySegment.ofAddress(memory.address() + entry),
                            FunctionDescriptor.ofVoid(arguments),
                            Linker.Option.critical(true)));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle handle(
            String name, MemoryLayout result, MemoryLayout... arguments) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }
}
