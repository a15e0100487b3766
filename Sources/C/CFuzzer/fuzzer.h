#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer's own loop, for programs that bring their own main.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
