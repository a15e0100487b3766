#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// Called with each raw path: what libmicrohttpd must leave as the client wrote it.
static inline size_t tabletalk_keep_escapes(
    void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// Starts a server on 127.0.0.1 with one thread of its own; NULL if it cannot, for example because the
// port is taken. MHD_start_daemon takes its options as variable arguments, which Swift cannot pass.
static inline struct MHD_Daemon *tabletalk_start_daemon(
    uint16_t port, unsigned int connection_limit, unsigned int timeout_seconds,
    size_t connection_memory, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
#ifdef __APPLE__
  address.sin_len = sizeof address;
#endif
  unsigned int flags = MHD_ALLOW_SUSPEND_RESUME | MHD_USE_INTERNAL_POLLING_THREAD;
  if (MHD_is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES)
    flags |= MHD_USE_EPOLL;
  else if (MHD_is_feature_supported(MHD_FEATURE_POLL) == MHD_YES)
    flags |= MHD_USE_POLL;
  return MHD_start_daemon(
      flags, port, NULL, NULL, handle, context,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_UNESCAPE_CALLBACK, tabletalk_keep_escapes, NULL,
      MHD_OPTION_END);
}

// The port a server is bound to; 0 if it cannot be told.
static inline uint16_t tabletalk_daemon_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

// A response with bytes that are copied now.
static inline struct MHD_Response *tabletalk_copied_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// A response with bytes that outlive it and are only read.
static inline struct MHD_Response *tabletalk_constant_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_PERSISTENT);
}

// Whether the client of a connection has closed its end; 0 where that cannot be told. libmicrohttpd
// does not look while a connection is suspended.
static inline int tabletalk_client_is_gone(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  char byte;
  return info != NULL && recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// The socket of a connection.
static inline MHD_socket tabletalk_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? MHD_INVALID_SOCKET : info->connect_fd;
}

// Ends a connection in both directions; libmicrohttpd then closes it.
static inline void tabletalk_shut(MHD_socket socket) {
  if (socket != MHD_INVALID_SOCKET)
    shutdown(socket, SHUT_RDWR);
}
