/// The drafters `eagle` (EAGLE-1 and EAGLE-2), `eagle3` and `p-eagle`: one decoder layer that reads the target's features. The code
/// that other drafters of this kind use too is in [dev.outrider.drafting.feature]; this package has the checkpoint layouts and
/// their dialects.
///
/// @see "Li et al. 2024 (EAGLE), Li et al. 2024 (EAGLE-2), Li et al. 2025 (EAGLE-3), Hui et al. 2026 (P-EAGLE)"
@NullMarked
package dev.outrider.drafter.eagle;

import org.jspecify.annotations.NullMarked;
