package dev.outrider.hub;

import java.nio.file.Path;

/// A model of the hub on this machine.
///
/// @param name   the name as given
/// @param commit the commit of its revision: 40 hexadecimal digits
/// @param path   the checkpoint's folder, or the single file that was named
public record Snapshot(HubName name, String commit, Path path) {}
