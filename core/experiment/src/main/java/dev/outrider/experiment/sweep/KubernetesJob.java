package dev.outrider.experiment.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A sweep as a Kubernetes Indexed Job: one pod for each cell, which runs `outrider run-cell` for the number it gets.
///
/// The volume that holds the plan is mounted as the checkout's `results/`, so that the plan's relative paths to models and
/// prompts mean in the container what they mean here.
///
/// @param image       image with an Outrider checkout at `root`
/// @param root        the checkout's folder in the image
/// @param claim       persistent volume claim that holds the sweep's folder, writable by all pods
/// @param parallelism most pods at a time
/// @see "Kubernetes documentation, Indexed Job for parallel processing with static work assignment"
public record KubernetesJob(String image, String root, String claim, int parallelism) {
    private static final int RETRIES = 2;
    private static final int MAX_NAME = 52;

    /// The manifest of a plan.
    public String manifest(SweepPlan plan) {
        int cells = plan.cells().size();
        var job = map("apiVersion", "batch/v1", "kind", "Job");
        job.put(
                "metadata",
                map(
                        "name",
                        name(plan.name()),
                        "labels",
                        map(
                                "app.kubernetes.io/name",
                                "outrider",
                                "app.kubernetes.io/part-of",
                                name(plan.name())),
                        "annotations",
                        map("outrider.dev/plan-hash", plan.planHash())));
        var spec = map("completionMode", "Indexed", "completions", cells);
        spec.put("parallelism", Math.min(cells, parallelism));
        spec.put("backoffLimitPerIndex", RETRIES);
        spec.put("maxFailedIndexes", cells);
        spec.put(
                "template",
                map(
                        "spec",
                        map(
                                "restartPolicy",
                                "Never",
                                "containers",
                                List.of(container(plan)),
                                "volumes",
                                List.of(
                                        map(
                                                "name",
                                                "results",
                                                "persistentVolumeClaim",
                                                map("claimName", claim))))));
        job.put("spec", spec);
        return yaml(job);
    }

    private Map<String, Object> container(SweepPlan plan) {
        return map(
                "name",
                "cell",
                "image",
                image,
                "workingDir",
                root,
                "command",
                List.of(
                        root + "/outrider",
                        "run-cell",
                        "--plan",
                        "results/" + plan.name() + "/plan.json",
                        "--index",
                        "$(JOB_COMPLETION_INDEX)",
                        "--wait"),
                "volumeMounts",
                List.of(map("name", "results", "mountPath", root + "/results")));
    }

    /// A name that DNS allows, with room for the index that pods get.
    private static String name(String sweep) {
        String allowed =
                ("outrider-" + sweep.toLowerCase(Locale.ROOT)).replaceAll("[^a-z0-9]+", "-");
        String cut = allowed.substring(0, Math.min(MAX_NAME, allowed.length()));
        return cut.replaceAll("-+$", "");
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    private static String yaml(Object value) {
        try {
            return new YAMLMapper(
                            YAMLFactory.builder()
                                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                                    .build())
                    .writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of plain values are always YAML", e);
        }
    }
}
