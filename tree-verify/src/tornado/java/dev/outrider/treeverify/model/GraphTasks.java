package dev.outrider.treeverify.model;

import dev.outrider.treeverify.kernels.Projections;
import dev.outrider.treeverify.kernels.RowKernels;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid1D;

/// Registers the work items of tasks.
class GraphTasks {
    final KernelContext context = new KernelContext();

    /// The number of work items of each task.
    final GridScheduler grids = new GridScheduler();

    /// The graph that gets the next tasks.
    TaskGraph graph = new TaskGraph(PassGraph.NAME);

    /// Registers a projection with a number of outputs and returns its name.
    String outputs(String task, int outputs) {
        return groups(task, Math.ceilDiv(outputs, Projections.TILE), Projections.LANES);
    }

    /// Registers a task with a number of groups, and of work items in each, and returns its name.
    String groups(String task, int groups, int lanes) {
        var grid = new WorkerGrid1D(groups * lanes);
        grid.setLocalWork(lanes, 1, 1);
        grids.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
        return task;
    }

    /// Registers a task with a minimum number of work items and returns its name.
    String items(String task, int items) {
        return groups(task, Math.ceilDiv(items, RowKernels.LANES), RowKernels.LANES);
    }
}
