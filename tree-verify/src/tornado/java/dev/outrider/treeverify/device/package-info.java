/// TornadoVM's runtime: the devices it shows, and one place where its failures become Outrider's.
@NullMarked
package dev.outrider.treeverify.device;

import org.jspecify.annotations.NullMarked;
