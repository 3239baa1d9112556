@NullMarked
package dev.outrider.treeverify.reference;

import org.jspecify.annotations.NullMarked;
