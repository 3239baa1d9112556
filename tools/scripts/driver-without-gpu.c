// A CUDA driver for machines without a GPU: it reports one device of compute capability 9.0 with 80
// GB, allocates its memory in the host's memory, accepts every module and runs no kernel. With it
// TornadoVM generates and compiles code. tools/scripts/cuda-kernels uses it.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef cuCtxCreate
#undef cuEventElapsedTime
#undef cuGraphInstantiate

static void *handle(void) { return malloc(16); }

#define DOES_NOTHING(name, ...) CUresult name(__VA_ARGS__) { return CUDA_SUCCESS; }
#define GIVES_HANDLE(name, type, ...) CUresult name(type *to, ##__VA_ARGS__) { *to = handle(); return CUDA_SUCCESS; }

DOES_NOTHING(cuInit, unsigned flags)
CUresult cuDriverGetVersion(int *version) { *version = CUDA_VERSION; return CUDA_SUCCESS; }
CUresult cuGetExportTable(const void **table, const CUuuid *id) { *table = NULL; return CUDA_ERROR_INVALID_VALUE; }
CUresult cuGetErrorString(CUresult error, const char **text) { *text = "error"; return CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult error, const char **text) { *text = "error"; return CUDA_SUCCESS; }

CUresult cuDeviceGetCount(int *count) { *count = 1; return CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { *device = 0; return CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *name, int length, CUdevice device) { snprintf(name, length, "no GPU"); return CUDA_SUCCESS; }
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) { *bytes = 80ULL << 30; return CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = 1024; break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *value = 64; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = 2147483647; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = 65535; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 49152; break;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: *value = 65536; break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 132; break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = 1980000; break;
    default: *value = 1;
    }
    return CUDA_SUCCESS;
}

GIVES_HANDLE(cuCtxCreate_v4, CUcontext, CUctxCreateParams *params, unsigned flags, CUdevice device)
GIVES_HANDLE(cuCtxCreate_v2, CUcontext, unsigned flags, CUdevice device)
DOES_NOTHING(cuCtxDestroy, CUcontext context)
DOES_NOTHING(cuCtxSetCurrent, CUcontext context)
DOES_NOTHING(cuCtxSynchronize, void)

GIVES_HANDLE(cuStreamCreate, CUstream, unsigned flags)
DOES_NOTHING(cuStreamDestroy, CUstream stream)
DOES_NOTHING(cuStreamSynchronize, CUstream stream)
DOES_NOTHING(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags)
GIVES_HANDLE(cuEventCreate, CUevent, unsigned flags)
DOES_NOTHING(cuEventDestroy, CUevent event)
DOES_NOTHING(cuEventRecord, CUevent event, CUstream stream)
DOES_NOTHING(cuEventSynchronize, CUevent event)
DOES_NOTHING(cuEventQuery, CUevent event)
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) { *ms = 0.001f; return CUDA_SUCCESS; }
CUresult cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to) { *ms = 0.001f; return CUDA_SUCCESS; }

CUresult cuMemAlloc(CUdeviceptr *to, size_t bytes) {
    *to = (CUdeviceptr) malloc(bytes);
    return *to ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree(CUdeviceptr pointer) { free((void *) pointer); return CUDA_SUCCESS; }
CUresult cuMemAllocHost(void **to, size_t bytes) {
    *to = malloc(bytes);
    return *to ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFreeHost(void *pointer) { free(pointer); return CUDA_SUCCESS; }
DOES_NOTHING(cuMemHostRegister, void *pointer, size_t bytes, unsigned flags)
DOES_NOTHING(cuMemHostUnregister, void *pointer)
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    memmove((void *) to, (void *) from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    memcpy(to, (void *) from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    memcpy((void *) to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes) {
    memset((void *) to, value, bytes);
    return CUDA_SUCCESS;
}

GIVES_HANDLE(cuModuleLoadDataEx, CUmodule, const void *image, unsigned count, CUjit_option *options, void **values)
DOES_NOTHING(cuModuleUnload, CUmodule module)
GIVES_HANDLE(cuModuleGetFunction, CUfunction, CUmodule module, const char *name)
CUresult cuOccupancyMaxPotentialBlockSize(
        int *grid, int *block, CUfunction function, CUoccupancyB2DSize size, size_t shared, int limit) {
    *grid = 132;
    *block = 256;
    return CUDA_SUCCESS;
}
DOES_NOTHING(cuLaunchKernel, CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
        unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **arguments, void **extra)

DOES_NOTHING(cuStreamBeginCapture, CUstream stream, CUstreamCaptureMode mode)
GIVES_HANDLE(cuStreamEndCapture_handle, CUgraph)
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) { return cuStreamEndCapture_handle(graph); }
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) { *status = 0; return CUDA_SUCCESS; }
DOES_NOTHING(cuGraphDestroy, CUgraph graph)
DOES_NOTHING(cuGraphExecDestroy, CUgraphExec graph)
DOES_NOTHING(cuGraphExecUpdate, CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *result)
GIVES_HANDLE(cuGraphInstantiateWithFlags, CUgraphExec, CUgraph graph, unsigned long long flags)
DOES_NOTHING(cuGraphLaunch, CUgraphExec graph, CUstream stream)
