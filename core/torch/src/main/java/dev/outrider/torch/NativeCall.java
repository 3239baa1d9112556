package dev.outrider.torch;

import ai.djl.engine.EngineException;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import dev.outrider.spi.error.ErrorCode;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/// Runs a method of a loaded module with or without recording gradients. The engine's public interface offers the
/// choice for whole blocks only, so its package-private entry point is looked up once.
final class NativeCall {
    private static final MethodHandle RUN;
    private static final MethodHandle NEW_VALUE;

    /// Messages of the allocator, the C++ library and oneDNN when they get no memory. The engine has no code for this error.
    private static final List<String> NO_MEMORY =
            List.of(
                    "DefaultCPUAllocator",
                    "not enough memory",
                    "bad_alloc",
                    "could not create a primitive",
                    "could not create a memory");

    static {
        try {
            var type = Class.forName("ai.djl.pytorch.jni.PyTorchLibrary");
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            var library = lookup.findStaticGetter(type, "LIB", type).invoke();
            RUN =
                    lookup.findVirtual(
                                    type,
                                    "moduleRunMethod",
                                    MethodType.methodType(
                                            long.class,
                                            long.class,
                                            String.class,
                                            long[].class,
                                            boolean.class,
                                            boolean.class))
                            .bindTo(library);
            NEW_VALUE =
                    MethodHandles.privateLookupIn(IValue.class, MethodHandles.lookup())
                            .findConstructor(
                                    IValue.class, MethodType.methodType(void.class, long.class));
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private NativeCall() {}

    static IValue run(
            PtSymbolBlock module, String method, boolean recording, TorchValue[] arguments) {
        var handles = new long[arguments.length];
        for (int index = 0; index < handles.length; index++) {
            handles[index] = arguments[index].raw().getHandle();
        }
        try {
            long result =
                    (long)
                            RUN.invokeExact(
                                    (long) module.getHandle(), method, handles, recording, false);
            return (IValue) NEW_VALUE.invokeExact(result);
        } catch (EngineException e) {
            throw failure(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("native call of " + method + " failed", e);
        }
    }

    /// The failure to throw: one with a code if the user can do something about it.
    static RuntimeException failure(EngineException failure) {
        var message = String.valueOf(failure.getMessage());
        if (NO_MEMORY.stream().noneMatch(message::contains)) {
            return failure;
        }
        var lines = message.strip().lines().toList();
        return ErrorCode.OUT_OF_MEMORY.error(
                "the system gave the tensor engine no memory: %s"
                        .formatted(lines.isEmpty() ? "" : lines.getLast()),
                "Free memory or lift the limit (ulimit -v), decode less at once, or use precision bf16.",
                failure);
    }
}
