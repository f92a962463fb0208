/** The interface of the desk's HTTP server as seen by the code bundled by Next. */
export type RegisteredServer = {
  /** Goes on answering, and ends each connection with its next reply. */
  retire: () => void
  /** Stops accepting connections; resolves when all requests have been answered. */
  drain: () => Promise<void>
}

declare global {
  /** The server is bundled separately from Next's build, so they can only share the process's globals. */
  var debitdeskServer: RegisteredServer | undefined
}

/** Registers the desk's own server in front of Next. */
export function registerServer(server: RegisteredServer): void {
  globalThis.debitdeskServer = server
}

/** The server of this process; undefined when it is served by something else, such as `next start`. */
export function getRegisteredServer(): RegisteredServer | undefined {
  return globalThis.debitdeskServer
}
