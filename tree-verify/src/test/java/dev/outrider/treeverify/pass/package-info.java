@NullMarked
package dev.outrider.treeverify.pass;

import org.jspecify.annotations.NullMarked;
