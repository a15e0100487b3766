// The page's files, compiled into the program so that it never depends on where it was built.
#ifndef TABLETALK_ASSETS_H
#define TABLETALK_ASSETS_H
#include <stddef.h>

typedef struct {
  const char *path;  // as requested, for example "/style/tokens.css"
  const char *type;  // media type for Content-Type
  const unsigned char *bytes;
  size_t count;
} tabletalk_asset;

extern const tabletalk_asset tabletalk_assets[];
extern const size_t tabletalk_asset_count;
#endif
