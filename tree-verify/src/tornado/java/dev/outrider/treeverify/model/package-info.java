/// A decoder as one task graph, or a few, on a TornadoVM device.
@NullMarked
package dev.outrider.treeverify.model;

import org.jspecify.annotations.NullMarked;
