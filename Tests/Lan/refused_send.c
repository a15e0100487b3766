/* Loaded before a program (LD_PRELOAD), it refuses every datagram that would leave this laptop, with
   the error in SEND_ERROR: as systems do that ask their owner first whether a program may use the
   local network (65, EHOSTUNREACH, on macOS; 113 here). */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  ssize_t (*next)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
  const struct sockaddr_in *to = message->msg_name;
  const char *error = getenv("SEND_ERROR");
  if (error && to && message->msg_namelen >= sizeof *to
      && (to->sin_family == AF_INET6
          || (to->sin_family == AF_INET && ntohl(to->sin_addr.s_addr) >> 24 != 127))) {
    errno = atoi(error);
    return -1;
  }
  return next(descriptor, message, flags);
}
