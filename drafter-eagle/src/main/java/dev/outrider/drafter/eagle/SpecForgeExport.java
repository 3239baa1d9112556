package dev.outrider.drafter.eagle;

import dev.outrider.drafting.export.HeadExport;
import java.util.List;

/// Exports `specforge`. Thread-safe.
public final class SpecForgeExport implements HeadExport<SpecForgeExportConfig> {
    @Override
    public String name() {
        return "specforge";
    }

    @Override
    public Class<SpecForgeExportConfig> configType() {
        return SpecForgeExportConfig.class;
    }

    @Override
    public String description() {
        return "Writes an EAGLE-3 head as SpecForge does; SGLang serves it.";
    }

    @Override
    public String details() {
        return "The numbers stay as they are, bit by bit, with the target's embedding. norm_output means what it means in SGLang, vLLM and SpecForge since September 2026.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "export specforge --head models/demo-eagle3 --target models/demo-target --out demo-eagle3-specforge");
    }

    @Override
    public String write(SpecForgeExportConfig config) {
        var target = ExportTarget.read(config.folders().target());
        return new EagleExport(config.folders(), target, new SpecForgeLayout())
                .write(config.overrides());
    }
}
