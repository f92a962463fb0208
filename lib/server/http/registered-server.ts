/** What the desk's start needs of the server that stands in front of it. */
export type RegisteredServer = {
  /** Accepts no connection any more and answers what was asked; done when nothing is being answered. */
  drain: () => Promise<void>
}

declare global {
  /** The server is bundled apart from what Next builds, so the two share nothing but the process. */
  var debitdeskServer: RegisteredServer | undefined
}

/** Tells this process that a server of the desk's own stands in front of Next. */
export function registerServer(server: RegisteredServer): void {
  globalThis.debitdeskServer = server
}

/** The server in front of this process; undefined where something else serves it, such as `next start`. */
export function getRegisteredServer(): RegisteredServer | undefined {
  return globalThis.debitdeskServer
}
