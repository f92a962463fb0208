import { expect } from 'vitest'
import { type GapReply, gap, gapOf, html, json, nothing, page, setUpGaps, gapSetup, words } from './gap'

setUpGaps()

const refused = (told: string, answer: GapReply['answer'], shown: object): GapReply => ({
  told,
  answer,
  status: 422,
  shown,
})
const odd = { errors: { name: ['is odd'] } }
gap(
  'validation failures',
  ['POST', '/Customers', { name: 'A' }],
  [
    refused('400, by field as documented', json({ errors: { name: ['is odd'] } }, 400), odd),
    refused(
      '422, in PascalCase as problem+json',
      json({ title: 'No', errors: { Name: ['is odd'] } }, 422, 'application/problem+json'),
      odd,
    ),
    refused('409, in capitals, one message', json({ ERRORS: { NAME: 'is odd' } }, 409), odd),
    refused('400, as a path in text/plain', json({ errors: { '$.name': ['is odd'] } }, 400, 'text/plain'), odd),
    refused('400, behind the name of an argument', json({ errors: { 'request.Name': ['is odd'] } }, 400), odd),
    refused(
      '400, as a list of records',
      json({ errors: [{ propertyName: 'Name', errorMessage: 'is odd' }] }, 400),
      odd,
    ),
    refused('422, as JSON pointers', json({ errors: [{ source: { pointer: '/name' }, detail: 'is odd' }] }, 422), odd),
    refused('400, as nothing but errors', json({ Name: ['is odd'] }, 400), odd),
    refused('400, in words', words('the name is odd', 400), { detail: 'the name is odd' }),
    refused('400, as a message', json({ message: 'the name is odd' }, 400), { detail: 'the name is odd' }),
    refused('422, with nothing', nothing(422), { type: expect.stringMatching(/upstream-refused$/u) }),
    refused('400, in HTML, of which nothing is shown', html(400), { title: 'The provider didn’t accept the request' }),
  ],
)
gap(
  'missing resources',
  ['GET', '/Customers/nobody'],
  [
    { told: '404', answer: nothing(404), status: 404, shown: { status: 404 } },
    {
      told: '404 with a record',
      answer: json({ title: 'No such customer' }, 404),
      status: 404,
      shown: { detail: 'No such customer' },
    },
    { told: '410', answer: nothing(410), status: 404, shown: { status: 404 } },
    { told: '204', answer: nothing(204), status: 404, shown: { status: 404 } },
    { told: '200 with null', answer: json(null), status: 404, shown: { status: 404 } },
    { told: '200 with an empty list', answer: json([]), status: 404, shown: { status: 404 } },
    { told: '200 with an empty page', answer: page([]), status: 404, shown: { status: 404 } },
    { told: '200 with nothing under its name', answer: json({ customer: null }), status: 404, shown: { status: 404 } },
  ],
)
gap(
  'permission per endpoint',
  ['POST', '/Merchants', { name: 'A' }],
  [
    {
      told: '403 with a record',
      answer: json({ title: 'Only for ISVs' }, 403),
      status: 403,
      shown: { detail: 'Only for ISVs' },
    },
    {
      told: '403 with nothing',
      answer: nothing(403),
      status: 403,
      shown: { title: 'The provider refused the request' },
    },
    { told: '404, as if it were not there', answer: nothing(404), status: 404, shown: { status: 404 } },
    {
      told: '403 to a read',
      ask: ['GET', '/Payments'],
      answer: html(403),
      status: 403,
      shown: { title: 'The provider refused the request' },
    },
  ],
)
gap(
  'values of type',
  ['GET', '/Payments'],
  [
    {
      told: 'a URN',
      answer: json({ type: 'urn:x:1', title: 'No' }, 403),
      status: 403,
      shown: { upstream: { type: 'urn:x:1' } },
    },
    {
      told: 'about:blank',
      answer: json({ type: 'about:blank', title: 'No' }, 403),
      status: 403,
      shown: { detail: 'No' },
    },
    { told: 'none, or a number', answer: json({ type: 7, title: 'No' }, 403), status: 403, shown: { detail: 'No' } },
  ],
)
const failed = { type: expect.stringMatching(/upstream-error$/u), title: 'Error at the provider' }
gap(
  'content of 500',
  ['GET', '/Payments'],
  [
    { told: 'nothing', answer: nothing(500), status: 502, shown: failed },
    { told: 'HTML', answer: html(500), status: 502, shown: failed },
    {
      told: 'a record, whose words are for its operators',
      answer: json({ title: 'NullReference' }, 500),
      status: 502,
      shown: failed,
    },
  ],
)
const slow = (retryAfter: number) => ({ status: 429, retryAfter })
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString()
gap(
  'rate limits and their headers',
  ['POST', '/Customers', { name: 'A' }],
  [
    { told: 'seconds', answer: nothing(429, { 'retry-after': '7' }), status: 429, shown: slow(7) },
    { told: 'a date', answer: () => nothing(429, { 'retry-after': later(4_000) }), status: 429, shown: slow(60) },
    { told: 'no word', answer: json({ title: 'Slow' }, 429), status: 429, shown: slow(5) },
    {
      told: 'other headers',
      answer: nothing(429, { 'x-ratelimit-reset': '12', ratelimit: '"x";r=0;t=12' }),
      status: 429,
      shown: slow(5),
    },
    {
      told: '503 with a time',
      answer: nothing(503, { 'retry-after': '9' }),
      status: 502,
      shown: { status: 502, retryAfter: 9 },
    },
  ],
)
gap(
  'media type of errors',
  ['GET', '/Payments'],
  [
    {
      told: 'problem+json',
      answer: json({ title: 'No' }, 403, 'application/problem+json'),
      status: 403,
      shown: { detail: 'No' },
    },
    {
      told: 'text/plain',
      answer: json({ title: 'No' }, 403, 'text/plain; charset=utf-8'),
      status: 403,
      shown: { detail: 'No' },
    },
    { told: 'text/json', answer: json({ title: 'No' }, 403, 'text/json'), status: 403, shown: { detail: 'No' } },
    {
      told: 'XML, of which nothing is shown',
      answer: { status: 403, headers: { 'content-type': 'application/xml' }, body: '<no/>' },
      status: 403,
      shown: { title: 'The provider refused the request' },
    },
  ],
)
gapOf('versioning', [
  [
    'no version is sent, and one that is told changes nothing',
    async () => {
      gapSetup.play({
        headers: { 'content-type': 'application/json', 'api-version': '3.0', deprecation: '@1', sunset: later(9) },
        body: '{"results":[],"hasMore":false}',
      })
      expect((await gapSetup.ask('GET', '/Payments')).json).toMatchObject({ results: [] })
      expect(gapSetup.requests()[0]?.rawHeaders.join(' ')).not.toMatch(/version/iu)
    },
  ],
  [
    'fields of a later version are kept',
    async () => {
      gapSetup.play(page([{ id: 'p', retries: { left: 2 } }], { hasMore: false, nextOffset: null, total: 1 }))
      expect((await gapSetup.ask('GET', '/Payments')).json).toMatchObject({ results: [{ retries: { left: 2 } }] })
    },
  ],
  [
    'a version in the media type',
    async () => {
      gapSetup.play({
        headers: { 'content-type': 'application/vnd.debit.v3+json; charset=utf-8' },
        body: '{"results":[],"hasMore":false}',
      })
      expect((await gapSetup.ask('GET', '/Payments')).status).toBe(200)
    },
  ],
])
