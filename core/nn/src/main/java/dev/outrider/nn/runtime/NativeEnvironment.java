package dev.outrider.nn.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// The environment of this process as native libraries see it. Java cannot change its own copy, but OpenMP
/// reads the C library's when it is loaded, so variables set here before that take effect.
final class NativeEnvironment {
    private final Optional<MethodHandle> setenv;

    NativeEnvironment() {
        var linker = Linker.nativeLinker();
        // Absent on Windows, whose OpenMP does not read these variables either.
        setenv =
                linker.defaultLookup()
                        .find("setenv")
                        .map(symbol ->
                                linker.downcallHandle(
                                        symbol,
                                        FunctionDescriptor.of(
                                                ValueLayout.JAVA_INT,
                                                ValueLayout.ADDRESS,
                                                ValueLayout.ADDRESS,
                                                ValueLayout.JAVA_INT)));
    }

    /// Sets a variable unless the user has set it.
    void setIfAbsent(String name, String value) {
        if (setenv.isEmpty() || System.getenv(name) != null) {
            return;
        }
        try (var arena = Arena.ofConfined()) {
            int unused =
                    (int)
                            setenv.get()
                                    .invokeExact(
                                            arena.allocateFrom(name), arena.allocateFrom(value), 0);
        } catch (Throwable e) {
            throw new IllegalStateException("setenv of " + name + " failed", e);
        }
    }
}
