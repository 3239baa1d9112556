/// TornadoVM's runtime: its devices, and the conversion of its failures into Outrider's errors.
@NullMarked
package dev.outrider.treeverify.device;

import org.jspecify.annotations.NullMarked;
