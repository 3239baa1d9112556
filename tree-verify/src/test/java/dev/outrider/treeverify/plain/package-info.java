@NullMarked
package dev.outrider.treeverify.plain;

import org.jspecify.annotations.NullMarked;
