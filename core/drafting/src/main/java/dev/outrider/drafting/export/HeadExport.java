package dev.outrider.drafting.export;

import dev.outrider.common.CommandService;

/// A layout that `outrider export` can write a head or a model in, by name. Thread-safe.
///
/// Found by [java.util.ServiceLoader], on the class path and in every plugin folder: a public class with a constructor without
/// parameters, named in `META-INF/services/dev.outrider.drafting.export.HeadExport`.
///
/// @param <C> the record its configuration binds to; its keys, those of nested records too, are options of the command
public interface HeadExport<C extends Record> extends CommandService<C> {
    /// Writes the files atomically. Confined to the calling thread.
    ///
    /// @param config from the command line
    /// @return one line about the written files
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if the layout cannot express the head,
    ///                                                  `CONFIG_INVALID` if there are files already, `IO_FAILED`, or the errors
    ///                                                  of loading the head
    String write(C config);
}
