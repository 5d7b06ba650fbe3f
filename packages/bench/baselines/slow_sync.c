/* Loaded before libc: every sync of a file takes as long as SYNC_MICROSECONDS says, whatever the disk is. */
#include <stdlib.h>
#include <unistd.h>

static int sync_slowly(void) {
  const char *text = getenv("SYNC_MICROSECONDS");
  if (text) usleep((useconds_t)atoi(text));
  return 0;
}

int fsync(int file) {
  (void)file;
  return sync_slowly();
}

int fdatasync(int file) {
  (void)file;
  return sync_slowly();
}
