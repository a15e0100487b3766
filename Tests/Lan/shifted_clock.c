// Preloaded into a node, makes its wall clock wrong by CLOCK_SHIFT seconds, and only that: the
// monotonic clocks stay right, as on a laptop whose owner set the time.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t shift(void) {
  const char *text = getenv("CLOCK_SHIFT");
  return text ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
  int result = syscall(SYS_clock_gettime, clock, out);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    out->tv_sec += shift();
  return result;
}

int gettimeofday(struct timeval *out, void *zone) {
  int result = syscall(SYS_gettimeofday, out, zone);
  if (result == 0) out->tv_sec += shift();
  return result;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
