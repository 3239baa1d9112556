package dev.outrider.drafter.medusa;

import dev.outrider.drafting.export.HeadExport;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.DecoderConfig;
import java.nio.file.Path;
import java.util.List;

/// Exports `medusa-v1`: Medusa's first version, `medusa_lm_head.safetensors` and the keys of its configuration. Thread-safe.
///
/// @see "FasterDecoding/Medusa, medusa/model/medusa_model.py and medusa/train/train_legacy.py"
public final class MedusaExport implements HeadExport<MedusaExportConfig> {
    private static final String VERSION = "1";

    @Override
    public String name() {
        return "medusa-v1";
    }

    @Override
    public Class<MedusaExportConfig> configType() {
        return MedusaExportConfig.class;
    }

    @Override
    public String description() {
        return "Writes Medusa heads as the first version of Medusa does.";
    }

    @Override
    public String details() {
        return "The numbers stay as they are, bit by bit; where blocks have no bias, it is zero.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "export medusa-v1 --head models/demo-medusa --target models/demo-target --out demo-medusa-v1");
    }

    @Override
    public String write(MedusaExportConfig config) {
        var folders = config.folders();
        var target = new Checkpoint(folders.target());
        var decoder = ModelConfig.read(target).decoder();
        try (var heads = open(folders.head(), decoder)) {
            var json =
                    MedusaConfigJson.of(
                            VERSION,
                            new HeadLayout.Size(heads.heads(), heads.layers()),
                            decoder,
                            config.targetName().orElse(target.name()));
            folders.write(
                    HeadFiles.HEADS,
                    heads.inFirstVersion(),
                    json,
                    () -> open(folders.out(), decoder).close());
            return "%s: %d heads of %d blocks"
                    .formatted(folders.out(), heads.heads(), heads.layers());
        }
    }

    private static HeadCheckpoint open(Path folder, DecoderConfig decoder) {
        return HeadCheckpoint.open(folder, decoder.hiddenSize(), decoder.vocabularySize());
    }
}
