// Every file of the page, by name: a test compares this list with the folder. The compiler notes each
// file as a dependency, so a changed one is compiled in again.
#include "assets.h"

static const tabletalk_asset files[] = {
#define PAGE_FILE "../../Edge/WebFace/Page/index.html"
#include "page_file.h"
};

const size_t tabletalk_asset_count = sizeof files / sizeof files[0];

const tabletalk_asset *tabletalk_asset_at(size_t index) { return &files[index]; }
