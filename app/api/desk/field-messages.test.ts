import { expect, it } from 'vitest'
import { GET as readActivity } from '@/app/api/desk/activity/route'
import { PUT as saveSecret } from '@/app/api/desk/inbox/signing-secret/route'
import { GET as find } from '@/app/api/desk/search/route'
import type { RouteHandler } from '@/lib/server/http/route-declaration'
import { testOrigin, VisitorDesk } from '@/lib/server/testing/auth-fixture'

const desk = new VisitorDesk()

async function ask(handler: RouteHandler, query: Record<string, string>, body?: object): Promise<unknown> {
  const request = new Request(`${testOrigin}/api/x?${new URLSearchParams(query).toString()}`, {
    method: body ? 'PUT' : 'GET',
    headers: {
      cookie: desk.visitor.cookieHeader,
      origin: testOrigin,
      'x-debitdesk': '1',
      'content-type': 'application/json',
      'accept-language': 'da',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const response = await handler(request, { params: Promise.resolve(undefined) })
  return (await response.json()).errors
}

it('what is wrong with a field is said in the reader’s language', async () => {
  expect([
    await ask(saveSecret, {}, { secret: 'whsec_short' }),
    await ask(find, { q: 'a' }),
    await ask(find, { q: 'a\0b' }),
    await ask(readActivity, { from: '2026-02-30', person: 'a\0b', after: 'x', limit: 'ten' }),
  ]).toEqual([
    { secret: ['skal være 24 til 64 bytes i base64, med eller uden whsec_ foran'] },
    { q: ['skal være mindst 2 tegn'] },
    { q: ['indeholder tegn, der ikke kan søges efter'] },
    {
      from: ['har ikke det rigtige format'],
      person: ['indeholder tegn, der ikke kan søges efter'],
      after: ['har ikke det rigtige format'],
      limit: ['har ikke det rigtige format'],
    },
  ])
})
