package dev.outrider.hub;

import java.nio.file.Path;

/// A model of the hub on this machine.
///
/// @param name   as it was given
/// @param commit what its revision is: 40 hexadecimal digits
/// @param path   the checkpoint's folder, or the one file that was named
public record Snapshot(HubName name, String commit, Path path) {}
