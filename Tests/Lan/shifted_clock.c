// Preloaded into a node, makes its clocks wrong as the file CLOCK_FILE says at every moment: two numbers
// of 64 bits, the seconds its wall clock is fast and the seconds for which it has slept. The monotonic
// clock stays right, as on a laptop whose owner set the time, or shut the lid.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long *shifts;

__attribute__((constructor)) static void find_shifts(void) {
  const char *path = getenv("CLOCK_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *map = mmap(NULL, 2 * sizeof *shifts, PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) shifts = map;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
  int result = syscall(SYS_clock_gettime, clock, out);
  if (result != 0 || !shifts) return result;
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) out->tv_sec += shifts[0];
  if (clock == CLOCK_BOOTTIME) out->tv_sec += shifts[1];
  return result;
}

int gettimeofday(struct timeval *out, void *zone) {
  int result = syscall(SYS_gettimeofday, out, zone);
  if (result == 0 && shifts) out->tv_sec += shifts[0];
  return result;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
