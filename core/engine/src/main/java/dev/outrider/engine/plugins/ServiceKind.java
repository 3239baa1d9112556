package dev.outrider.engine.plugins;

import java.util.function.Function;

/// A kind of service beside those that plugins list: whoever provides one names it in `META-INF/services`, on the class path or
/// in the jar of a plugin.
///
/// @param type       the interface providers implement
/// @param noun       what one is called, as errors call it
/// @param name       a service's name
/// @param configType a service's configuration record
public record ServiceKind<S>(
        Class<?> type, String noun, Function<S, String> name, Function<S, Class<?>> configType) {}
