import { expect, it } from 'vitest'
import { sealReply, startTrace } from './headers'
import { keepPlain } from './keep-plain'

const cacheControl = (origin: string) =>
  sealReply(keepPlain(Response.json([]), origin), startTrace()).headers.get('cache-control')

it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000', 'https://localhost'])(
  'keeps replies from being compressed at %s',
  (origin) => expect(cacheControl(origin)).toBe('private, no-store, no-transform'),
)

it.each(['https://desk.example', 'https://localhost.example', 'https://127.0.0.1.example', 'http://10.0.0.1:3000'])(
  'leaves them to be compressed at %s',
  (origin) => expect(cacheControl(origin)).toBe('private, no-store'),
)
