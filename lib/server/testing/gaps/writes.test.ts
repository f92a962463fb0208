import { expect } from 'vitest'
import type { Script } from '../fault-service'
import { type GapReply, type GapRequest, gap, gapOf, html, json, nothing, setUpGaps, gapSetup, words } from './gap'

setUpGaps()

const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
const webhookUrl = 'https://shop.example/hook'

/** All ways to confirm a write. */
const successes: readonly GapReply[] = [
  { told: '200 with a record', answer: json({ id: '1' }), shown: { status: 200, reply: { id: '1' } } },
  { told: '200 with nothing', answer: nothing(200), shown: { status: 200, reply: null } },
  { told: '200 with words', answer: words('done'), shown: { status: 200, reply: 'done' } },
  { told: '200 with HTML, of which nothing is shown', answer: html(), shown: { status: 200, reply: null } },
  { told: '201 with a record', answer: json({ handle: 'x' }, 201), shown: { status: 201, reply: { handle: 'x' } } },
  {
    told: '201 with a Location and no body',
    answer: nothing(201, { location: '/elsewhere/1' }),
    shown: { status: 201, reply: null },
  },
  { told: '202', answer: nothing(202), shown: { status: 202, reply: null } },
  { told: '204', answer: nothing(204), shown: { status: 204, reply: null } },
  { told: '208 with a word', answer: json(true, 208, 'text/json'), shown: { status: 208, reply: true } },
]

gap('success of POST /Customers', ['POST', '/Customers', { name: 'A' }], successes)
gap('success of POST /Merchants', ['POST', '/Merchants', { name: 'A' }], successes)
gap('success of POST /Merchants/agreements', ['POST', '/Merchants/agreements', { scheme: 'x' }], successes)
gap('success of subscribing', ['POST', '/Merchants/webhooks/subscribe', { webhookUrl }], successes)
gap('success of unsubscribing', ['POST', '/Merchants/webhooks/unsubscribe', { webhookUrl }], successes)
gap('success of DELETE /Customers', ['DELETE', `/Customers/${id}`], successes)
gap('success of DELETE /Merchants/agreements', ['DELETE', `/Merchants/agreements/${id}`], successes)
gap('body of the reply of PUT /Customers', ['PUT', '/Customers/x', { city: 'B' }], successes)

const required = (field: string): Script => json({ title: 'Invalid', errors: { [field]: ['is required'] } }, 400)

function needs(path: string, body: object, field: string): [GapRequest, readonly GapReply[]] {
  const sent = [`POST ${path} ${JSON.stringify(body)}`]
  const refused = { errors: { [field]: ['is required'] } }
  return [
    ['POST', path, body],
    [
      { told: 'what was typed is enough', answer: nothing(201), shown: { status: 201 }, sent },
      { told: 'more is asked for, and told at its field', answer: required(field), status: 422, shown: refused, sent },
    ],
  ]
}
gap('required fields of a customer', ...needs('/Customers', { name: 'A' }, 'number'))
gap('required fields of a merchant', ...needs('/Merchants', { name: 'A' }, 'isvHandle'))
gap('required fields of an agreement', ...needs('/Merchants/agreements', { scheme: 'x' }, 'dataSourceHandle'))
gap(
  'fields of PUT /Customers',
  ['PUT', '/Customers/x', { city: 'B' }],
  [
    {
      told: 'those that change',
      answer: json({ city: 'B' }),
      shown: { status: 200 },
      sent: ['PUT /Customers/x {"city":"B"}'],
    },
    { told: 'all of them', answer: required('Name'), status: 422, shown: { errors: { name: ['is required'] } } },
  ],
)
gapOf('sizes of bodies and fields', [
  [
    'a body that is too large',
    async () => {
      gapSetup.play(nothing(413))
      expect(await gapSetup.ask('POST', '/Customers', { name: 'A' })).toMatchObject({ status: 422 })
    },
  ],
  [
    'a field that is too long',
    async () => {
      gapSetup.play(json({ errors: { City: ['has at most 20 characters'] } }, 400))
      const { json: told } = await gapSetup.ask('POST', '/Customers', { name: 'A', city: 'B'.repeat(150) })
      expect(told).toMatchObject({ errors: { city: ['has at most 20 characters'] } })
    },
  ],
  [
    'a reply of a page with very much in it',
    async () => {
      gapSetup.play(
        json({
          results: Array.from({ length: 2_000 }, (_, index) => ({ id: index, text: 'x'.repeat(1_000) })),
          hasMore: false,
        }),
      )
      const { json: told } = await gapSetup.ask('GET', '/Payments')
      expect(told).toMatchObject({ results: { length: 2_000 }, continuation: { kind: 'end' } })
    },
  ],
])
