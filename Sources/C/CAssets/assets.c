#include "assets.h"

static const unsigned char index_html[] = {
#embed "../../Edge/WebFace/Page/index.html"
};

const tabletalk_asset tabletalk_assets[] = {
  {"/", "text/html; charset=utf-8", index_html, sizeof index_html},
};
const size_t tabletalk_asset_count = sizeof tabletalk_assets / sizeof tabletalk_assets[0];
