/// Products of eight-bit integers, by Java's vector code or by a library that reaches the machine's own instructions for them.
/// Sums are exact, so both give the same bits.
@org.jspecify.annotations.NullMarked
package dev.outrider.nn.integers;
