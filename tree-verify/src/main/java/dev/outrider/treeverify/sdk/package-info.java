/// The TornadoVM SDK of this machine: its folder, its version, and the options of a JVM that uses it.
@NullMarked
package dev.outrider.treeverify.sdk;

import org.jspecify.annotations.NullMarked;
