package dev.outrider.drafter.medusa;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// Finds the file that holds the heads.
final class HeadFiles {
    static final String HEADS = "medusa_lm_head.safetensors";
    private static final String PICKLE = "medusa_lm_head.pt";

    private HeadFiles() {}

    /// Opens `medusa_lm_head.safetensors`, else the folder's ordinary weights. The caller closes them.
    ///
    /// @throws OutriderException `PICKLE_REFUSED` if the heads are there only as a pickle, otherwise as
    ///                           [Checkpoint#openTensors]
    static CheckpointTensors open(Checkpoint directory) {
        var heads = directory.optional(HEADS);
        if (heads.isPresent()) {
            return CheckpointTensors.ofFile(heads.get());
        }
        if (directory.optional(PICKLE).isPresent()) {
            throw new OutriderException(
                    ErrorCode.PICKLE_REFUSED,
                    "'%s' has its heads only as a pickle, '%s', and loading a pickle can run any code; expected %s"
                            .formatted(directory.path(), PICKLE, HEADS),
                    ("Convert it where you trust it: in Python, heads = torch.load('%s',"
                                    + " weights_only=True); safetensors.torch.save_file({k:"
                                    + " v.clone().contiguous() for k, v in heads.items()}, '%s').")
                            .formatted(PICKLE, HEADS));
        }
        return directory.openTensors();
    }
}
