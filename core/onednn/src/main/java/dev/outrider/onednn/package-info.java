/// Products of eight-bit integers by oneDNN, called through its C interface: VNNI on x86, AMX where there is one. Without this
/// module, or where the library does not serve, Java's vector code computes the same integers.
@org.jspecify.annotations.NullMarked
package dev.outrider.onednn;
