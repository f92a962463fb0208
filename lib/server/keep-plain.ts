import { getDeskOrigin } from './session-cookie'

const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|$)/u

/**
 * Keeps a reply from being compressed where the desk's address (`origin`) is this very machine: no wire is spared
 * there, and the work is done twice on it, packing and unpacking. Behind a public address it is packed (packReplies); Next drops
 * the `content-encoding` of a reply that comes compressed.
 */
export function keepPlain(response: Response, origin = getDeskOrigin()): Response {
  if (loopback.test(origin)) response.headers.set('cache-control', 'no-transform')
  return response
}
