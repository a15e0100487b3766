#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

// Returns after what was written to a file is on the disk; -1 with errno set if it may not be. On
// macOS a plain fsync stops at the drive's own cache.
static inline int tabletalk_sync(int descriptor) {
#ifdef F_FULLFSYNC
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  return fsync(descriptor);
}
