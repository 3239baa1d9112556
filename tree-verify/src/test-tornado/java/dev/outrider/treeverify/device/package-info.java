@NullMarked
package dev.outrider.treeverify.device;

import org.jspecify.annotations.NullMarked;
