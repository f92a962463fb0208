import type { Script } from '../fault-service'

/** JSON under a media type. */
export const json = (value: unknown, status = 200, mediaType = 'application/json'): Script => ({
  status,
  headers: { 'content-type': mediaType },
  body: JSON.stringify(value),
})

export const words = (body: string, status = 200): Script => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

export const html = (status = 200): Script => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Words</h1></body></html>',
})

/** Nothing but a status, and perhaps headers. */
export const nothing = (status: number, headers: Record<string, string> = {}): Script => ({ status, headers, body: '' })

/** One page with these rows, which is the last unless `end` says otherwise. */
export const page = (results: unknown[], end: object = { hasMore: false, nextOffset: null }): Script =>
  json({ results, ...end })
