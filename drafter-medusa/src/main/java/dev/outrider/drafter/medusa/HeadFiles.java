package dev.outrider.drafter.medusa;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// Finds the file that holds heads.
public final class HeadFiles {
    static final String HEADS = "medusa_lm_head.safetensors";

    private HeadFiles() {}

    /// Opens `medusa_lm_head.safetensors`, else the folder's ordinary weights. The caller closes them.
    ///
    /// @throws OutriderException as [#open(Checkpoint, String)]
    static CheckpointTensors open(Checkpoint directory) {
        return open(directory, "medusa_lm_head");
    }

    /// Opens `NAME.safetensors`, else the folder's ordinary weights. The caller closes them.
    ///
    /// @param name what heads of this kind are called, whose authors publish `NAME.pt`
    /// @throws OutriderException `PICKLE_REFUSED` if the heads are there only as a pickle, otherwise as
    ///                           [Checkpoint#openTensors]
    public static CheckpointTensors open(Checkpoint directory, String name) {
        var safe = name + ".safetensors";
        var pickle = name + ".pt";
        var heads = directory.optional(safe);
        if (heads.isPresent()) {
            return CheckpointTensors.ofFile(heads.get());
        }
        if (directory.optional(pickle).isPresent()) {
            throw new OutriderException(
                    ErrorCode.PICKLE_REFUSED,
                    "'%s' has its heads only as a pickle, '%s', and loading a pickle can run any code; expected %s"
                            .formatted(directory.path(), pickle, safe),
                    ("Convert it where you trust it: in Python, heads = torch.load('%s',"
                                    + " weights_only=True); safetensors.torch.save_file({k:"
                                    + " v.clone().contiguous() for k, v in heads.items()}, '%s').")
                            .formatted(pickle, safe));
        }
        return directory.openTensors();
    }
}
