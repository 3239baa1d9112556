/// Machine code for instructions that Java's vector code does not reach: it is assembled when a program first needs it, and called
/// through the foreign-function interface.
@org.jspecify.annotations.NullMarked
package dev.outrider.nn.jit;
