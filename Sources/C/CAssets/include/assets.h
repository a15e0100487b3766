// The page's files, compiled into the program so that it never depends on where it was built.
#ifndef TABLETALK_ASSETS_H
#define TABLETALK_ASSETS_H
#include <stddef.h>

typedef struct {
  const char *path;  // in the page's folder, with a leading slash, for example "/style/tokens.css"
  const unsigned char *bytes;
  size_t count;
} tabletalk_asset;

extern const size_t tabletalk_asset_count;

// The file at an index below the count, in the order of the list in assets.c.
const tabletalk_asset *tabletalk_asset_at(size_t index);
#endif
