/* Loads probe.ptx, runs it with one thread, and prints its output. Needs only the library of the driver:
   cc -o probe probe.c -ldl && ./probe probe.ptx */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12, MAJOR = 75, MINOR = 76 };

static const char *const DID[STEPS] = {
    "init 5",          "arrive.noComplete 1", "arrive.noComplete 2", "expect_tx 16",
    "expect_tx 1048559", "complete_tx 1048575", "complete_tx 16",    "expect_tx 16",
    "arrive_drop",     "arrive",              "arrive.noComplete 3", "arrive",
};

static void *library;

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "the driver has no %s\n", name);
        exit(1);
    }
    return found;
}

static void check(int result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "%s failed with error %d\n", what, result);
        exit(1);
    }
}

static char *text_of(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    static char text[1 << 16];
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s probe.ptx\n", arguments[0]);
        return 2;
    }
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*init)(unsigned) = find("cuInit");
    int (*device_get)(int *, int) = find("cuDeviceGet");
    int (*device_name)(char *, int, int) = find("cuDeviceGetName");
    int (*attribute)(int *, int, int) = find("cuDeviceGetAttribute");
    int (*context_create)(void **, unsigned, int) = find("cuCtxCreate_v2");
    int (*module_load)(void **, const void *) = find("cuModuleLoadData");
    int (*function_get)(void **, void *, const char *) = find("cuModuleGetFunction");
    int (*allocate)(uint64_t *, size_t) = find("cuMemAlloc_v2");
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **) = find("cuLaunchKernel");
    int (*synchronize)(void) = find("cuCtxSynchronize");
    int (*copy_back)(void *, uint64_t, size_t) = find("cuMemcpyDtoH_v2");

    int device, major, minor;
    char name[256] = "";
    void *context, *module, *function;
    uint64_t out, seen[STEPS][2];
    check(init(0), "cuInit");
    check(device_get(&device, 0), "cuDeviceGet");
    check(device_name(name, sizeof name, device), "cuDeviceGetName");
    check(attribute(&major, MAJOR, device), "cuDeviceGetAttribute");
    check(attribute(&minor, MINOR, device), "cuDeviceGetAttribute");
    check(context_create(&context, 0, device), "cuCtxCreate");
    check(module_load(&module, text_of(arguments[1])), "cuModuleLoadData");
    check(function_get(&function, module, "probe"), "cuModuleGetFunction");
    check(allocate(&out, sizeof seen), "cuMemAlloc");
    void *parameters[] = {&out};
    check(launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL), "cuLaunchKernel");
    check(synchronize(), "cuCtxSynchronize");
    check(copy_back(seen, out, sizeof seen), "cuMemcpyDtoH");

    printf("device %s, compute capability %d.%d\n", name, major, minor);
    for (int step = 0; step < STEPS; step++) {
        printf("%-20s word 0x%016llx token 0x%016llx\n", DID[step], (unsigned long long)seen[step][0],
               (unsigned long long)seen[step][1]);
    }
    return 0;
}
