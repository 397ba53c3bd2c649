/*
 * measure FOLDER PROGRAM ARGUMENT...
 *
 * Runs a program once with FOLDER/stdin as its input and writes its output to FOLDER/stdout and FOLDER/stderr. Prints one line of
 * JSON. A small program measures because the kernel counts the memory of a process from fork: a child of Node would start with Node's.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(125);
}

static void redirect(const char *folder, const char *name, int flags, int to) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, flags, 0644);
  if (file == -1 || dup2(file, to) == -1) fail(path);
  if (file != to) close(file);
}

static long long microseconds(long long seconds, long long more) { return seconds * 1000000 + more; }

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return microseconds(time.tv_sec, time.tv_nsec / 1000);
}

/* What the ended process and its children read with system calls. A process that was waited for has no such file. */
static long long bytes_read(pid_t process) {
  char path[64];
  long long bytes = -1;
  snprintf(path, sizeof path, "/proc/%d/io", (int)process);
  FILE *file = fopen(path, "r");
  if (file == NULL || fscanf(file, "rchar: %lld", &bytes) != 1) fail(path);
  fclose(file);
  return bytes;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: measure FOLDER PROGRAM ARGUMENT...\n");
    return 125;
  }
  pid_t self = getpid();
  long long start = now();
  pid_t process = fork();
  if (process == -1) fail("fork");
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self) _exit(125);
    redirect(arguments[1], "stdin", O_RDONLY, 0);
    redirect(arguments[1], "stdout", O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(arguments[1], "stderr", O_WRONLY | O_CREAT | O_TRUNC, 2);
    execvp(arguments[2], arguments + 2);
    fail(arguments[2]);
  }
  siginfo_t ended;
  if (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOWAIT) == -1) fail("waitid");
  long long wall = now() - start;
  long long bytes = bytes_read(process);
  int status;
  struct rusage used;
  if (wait4(process, &status, 0, &used) == -1) fail("wait4");
  long long cpu = microseconds(used.ru_utime.tv_sec, used.ru_utime.tv_usec) +
                  microseconds(used.ru_stime.tv_sec, used.ru_stime.tv_usec);
  printf("{\"exitCode\":%d,\"wallUs\":%lld,\"cpuUs\":%lld,\"memoryKib\":%ld,\"bytesRead\":%lld}\n",
         WIFEXITED(status) ? WEXITSTATUS(status) : -1, wall, cpu, used.ru_maxrss, bytes);
  return 0;
}
