@NullMarked
package dev.outrider.treeverify.sdk;

import org.jspecify.annotations.NullMarked;
