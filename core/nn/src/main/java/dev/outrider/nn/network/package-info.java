/// Decoder-only transformer forward passes over a key-value cache: one small interface, a readable reference
/// implementation and a fast one.
@NullMarked
package dev.outrider.nn.network;

import org.jspecify.annotations.NullMarked;
