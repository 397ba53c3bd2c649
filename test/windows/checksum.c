/* Prints the checksum in the header of an executable, and the one that ImageHlp computes. */

#include <windows.h>
#include <imagehlp.h>
#include <stdio.h>

int main(int count, char **arguments) {
  DWORD stored = 0, computed = 0;
  if (count != 2 || MapFileAndCheckSumA(arguments[1], &stored, &computed) != CHECKSUM_SUCCESS) return 1;
  printf("%lx %lx\n", stored, computed);
  return 0;
}
