@NullMarked
package dev.outrider.treeverify;

import org.jspecify.annotations.NullMarked;
