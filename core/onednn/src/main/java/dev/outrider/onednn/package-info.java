/// Products of eight-bit integers by oneDNN, called through its C interface: VNNI on x86, AMX if the machine has it. Without this
/// module, or if the library cannot be used, Java's vector code computes the same integers.
@org.jspecify.annotations.NullMarked
package dev.outrider.onednn;
