/// How long passes take on a device, against what its memory allows.
@NullMarked
package dev.outrider.treeverify.bench;

import org.jspecify.annotations.NullMarked;
