/* A library that loads vmcompute.dll by its bare name, as Windows' own libraries load one another. */

#include <windows.h>

__declspec(dllexport) int load(void) { return LoadLibraryA("vmcompute.dll") != NULL; }
