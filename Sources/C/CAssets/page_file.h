// One row of the table in assets.c, for the file PAGE_FILE. Included once per file, so no guard.
{
  &PAGE_FILE[sizeof "../../Edge/WebFace/Page" - 1],
  (const unsigned char[]){
#embed PAGE_FILE suffix(, )
    0
  },
  sizeof((const unsigned char[]){
#embed PAGE_FILE suffix(, )
    0
  }) - 1
},
#undef PAGE_FILE
