/// The TornadoVM SDK of this machine: where it is, which version, and how a JVM is started with it.
@NullMarked
package dev.outrider.treeverify.sdk;

import org.jspecify.annotations.NullMarked;
