@NullMarked
package dev.outrider.treeverify.bench;

import org.jspecify.annotations.NullMarked;
