package dev.outrider.drafting.bench;

import dev.outrider.common.CommandService;
import java.util.Set;

/// Something that `outrider bench-draft` can time, by name. Thread-safe.
///
/// Found by [java.util.ServiceLoader], on the class path and in every plugin folder: a public class with a constructor without
/// parameters, named in `META-INF/services/dev.outrider.drafting.bench.DraftBench`.
///
/// @param <C> the record its configuration binds to; its keys, those of nested records too, are options of the command
public interface DraftBench<C extends Record> extends CommandService<C> {
    /// Measures. Confined to the calling thread.
    ///
    /// @param config what the command line says
    /// @param watch  what is lent by the program
    /// @return the report, as it is printed
    /// @throws dev.outrider.spi.error.OutriderException        for expected failures
    /// @throws IllegalArgumentException if the configuration makes no sense; the message is for the user
    String run(C config, BenchWatch watch);

    /// {@return names of the drafters, as `use:` gives them, whose drafts [#times] times; none if it cannot}
    default Set<String> drafters() {
        return Set.of();
    }

    /// Measures a draft of one of the [#drafters] against a target pass of one row. Confined to the calling thread.
    ///
    /// @param drafter which
    /// @param target  what it is timed against
    /// @param length  depth of the draft, at least 1
    /// @param watch   what is lent by the program
    /// @throws IllegalArgumentException if there is no such drafter at that shape; the message is for the user
    default DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
        throw new IllegalArgumentException(
                "'%s' times no drafts of '%s'".formatted(name(), drafter));
    }
}
