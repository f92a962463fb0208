import { expect, it } from 'vitest'
import { GET as readActivity } from '@/app/api/desk/activity/route'
import { GET as readRows } from '@/app/api/desk/bulk/[bulkId]/rows/route'
import { GET as readCancellations } from '@/app/api/desk/cancellations/route'
import { PUT as saveSecret } from '@/app/api/desk/inbox/signing-secret/route'
import { GET as find } from '@/app/api/desk/search/route'
import { PUT as setPassword } from '@/app/api/password-link/route'
import type { RouteHandler } from '@/lib/server/http/route-declaration'
import { testOrigin, VisitorDesk } from '@/lib/server/testing/auth-fixture'

const desk = new VisitorDesk()

const bulkId = '00000000-0000-4000-8000-000000000001'

async function ask(handler: RouteHandler, query: Record<string, string> | string[][], body?: object): Promise<unknown> {
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
  const response = await handler(request, { params: Promise.resolve({ bulkId }) })
  return (await response.json()).errors
}

it('what is wrong with a field is said in the reader’s language', async () => {
  expect([
    await ask(saveSecret, {}, { secret: 'whsec_short' }),
    await ask(find, { q: 'a' }),
    await ask(find, { q: 'a\0b' }),
    await ask(readRows, { from: 'first' }),
    await ask(readCancellations, {}),
    await ask(
      readCancellations,
      Array.from({ length: 101 }, (_, id) => ['paymentId', `pay-${id}`]),
    ),
    await ask(setPassword, {}, { secret: 'short', password: 'nine violet ferries' }),
    await ask(readActivity, { from: '2026-02-30', person: 'a\0b', after: 'x', limit: 'ten' }),
  ]).toEqual([
    { secret: ['skal være 24 til 64 bytes i base64, med eller uden whsec_ foran'] },
    { q: ['skal være mindst 2 tegn'] },
    { q: ['indeholder tegn, der ikke kan søges efter'] },
    { from: ['har ikke det rigtige format'] },
    { '': ['skal nævne enten paymentId eller open'] },
    { paymentId: ['må højst være 100 poster'] },
    { secret: ['har ikke det rigtige format'] },
    {
      from: ['har ikke det rigtige format'],
      person: ['indeholder tegn, der ikke kan søges efter'],
      after: ['har ikke det rigtige format'],
      limit: ['har ikke det rigtige format'],
    },
  ])
})
