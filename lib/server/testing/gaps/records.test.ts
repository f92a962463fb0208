import { expect } from 'vitest'
import { parseIdentity } from '@/lib/domain/created-identity'
import { parseWebhooks } from '@/lib/domain/webhooks'
import { gap, gapOf, json, nothing, page, setUpGaps, gapSetup, words } from './gap'

setUpGaps()

gap(
  'answer of GET /',
  ['GET', '/'],
  [
    { told: 'a word', answer: words('ok'), shown: 'ok' },
    { told: 'a record', answer: json({ service: 'debit', up: true }), shown: { up: true } },
    { told: 'nothing', answer: nothing(204), shown: null },
  ],
)

const wrapped = { id: 'x-1', name: 'Ann' }
gap(
  'body of one customer',
  ['GET', '/Customers/x-1'],
  [
    { told: 'one field', answer: json({ name: 'Ann' }), shown: { name: 'Ann', id: null, mandates: null } },
    {
      told: 'many fields, known and unknown',
      answer: json({ ...wrapped, number: 7, city: 'Aarhus', risk: { class: 3 }, mandates: [{ handle: 'md_1' }, null] }),
      shown: {
        ...wrapped,
        number: '7',
        city: 'Aarhus',
        risk: { class: 3 },
        mandates: null,
        'mandates (as told)': [{ handle: 'md_1' }, null],
      },
    },
    {
      told: 'its mandates as handles alone, which are kept as told',
      answer: json({ ...wrapped, mandates: ['md_1'] }),
      shown: { ...wrapped, mandates: null, 'mandates (as told)': ['md_1'] },
    },
    { told: 'in a list of one', answer: json([wrapped]), shown: wrapped },
    { told: 'under a name', answer: json({ customer: wrapped, links: { self: '/x' } }), shown: wrapped },
    {
      told: 'under a name, beside what is documented as its own',
      answer: json({ customer: wrapped, mandates: [{ handle: 'md_1' }], links: { self: '/x' } }),
      shown: { ...wrapped, mandates: [{ handle: 'md_1', state: null }], links: { self: '/x' } },
    },
    {
      told: 'a record of that name beside its own fields, which is another',
      answer: json({ ...wrapped, customer: { id: 'x-2', name: 'Bo' } }),
      shown: { ...wrapped, customer: { id: 'x-2', name: 'Bo' } },
    },
    {
      told: 'a longer record of that name beside its own fields, which is another, too',
      answer: json({ ...wrapped, customer: { id: 'x-2', name: 'Bo', handle: 'cu_2', number: '2' } }),
      shown: { ...wrapped, handle: null },
    },
    {
      told: 'a record of that name beside its name alone, which is another, too',
      answer: json({ name: 'Ann', customer: { id: 'x-2', name: 'Bo' } }),
      shown: { name: 'Ann', id: null },
    },
    {
      told: 'under data beside the id of the answer',
      answer: json({ id: 'answer-1', data: { ...wrapped, number: '7' } }),
      shown: { ...wrapped, number: '7' },
    },
    {
      told: 'data of its own',
      answer: json({ ...wrapped, data: { id: 'risk-1', class: 3 } }),
      shown: { ...wrapped, data: { id: 'risk-1', class: 3 } },
    },
    {
      told: 'a longer record among its own items, which is another',
      answer: json({ ...wrapped, items: [{ id: 'i-1', name: 'Gym', number: '7' }] }),
      shown: { ...wrapped, items: [{ id: 'i-1' }] },
    },
    {
      told: 'a longer record of its own',
      answer: json({ ...wrapped, record: { id: 'r-1', createdAt: 'then', modifiedAt: 'now' } }),
      shown: { ...wrapped, record: { id: 'r-1' } },
    },
    ...[{ items: [{ id: 'i-1', name: 'Gym' }] }, { customer: { name: 'Ann', number: '7' } }, { items: [] }].map(
      (beside) => ({
        told: `its id beside a record that is not requested: ${JSON.stringify(beside)}`,
        answer: json({ id: 'x-1', ...beside }),
        shown: { id: 'x-1', name: null },
      }),
    ),
    { told: 'under data', answer: json({ data: wrapped, meta: { at: 'now' } }), shown: wrapped },
    { told: 'in a page of one', answer: page([wrapped]), shown: wrapped },
    {
      told: 'in PascalCase',
      answer: json({ Id: 'x-1', Name: 'Ann', AddressLine1: 'Road 1' }),
      shown: { ...wrapped, addressLine1: 'Road 1' },
    },
    {
      told: 'a field of another kind than documented, which is kept as told',
      answer: json({ ...wrapped, mandates: 'none yet' }),
      shown: { ...wrapped, mandates: null, 'mandates (as told)': 'none yet' },
    },
  ],
)
const wholeMandate = {
  id: 'm-1',
  handle: 'md_1',
  scheme: 'nets-bs',
  status: 'Active',
  customer: { id: 'c-1', handle: 'cu_1', name: 'Ann', number: '1' },
}
gap(
  'body of one mandate',
  ['GET', '/Customers/mandates/md_1'],
  [
    { told: 'one field', answer: json({ status: 'Created' }), shown: { status: 'Created', customer: null } },
    {
      told: 'the customer as a name alone',
      answer: json({ handle: 'md_1', customer: 'Ann' }),
      shown: { handle: 'md_1', customer: null, 'customer (as told)': 'Ann' },
    },
    {
      told: 'under mandate',
      answer: json({ mandate: { handle: 'md_1', signedAt: 'now' } }),
      shown: { handle: 'md_1', signedAt: 'now' },
    },
    {
      told: 'under mandate, beside its customer',
      answer: json({ Mandate: { handle: 'md_1', status: 'Created' }, customer: { name: 'Ann' } }),
      shown: { handle: 'md_1', status: 'Created', customer: { name: 'Ann' } },
    },
    ...Object.entries({
      'under data, beside a word': { status: 'success', data: wholeMandate },
      'in a list of one, beside a number': { status: 200, data: [wholeMandate] },
      'under two names, beside a word': { status: 'success', data: { mandate: wholeMandate } },
      'under mandate, beside an id and a word': { id: 'answer-1', status: 'success', mandate: wholeMandate },
      'as the result, beside an id and a word': { id: 'answer-1', status: 'success', result: wholeMandate },
      'in a list of one under mandate, beside a word': { status: 'success', mandate: [wholeMandate] },
      'under data, beside a word and an empty list': { status: 'success', data: wholeMandate, items: [] },
    }).map(([told, envelope]) => ({ told, answer: json(envelope), shown: wholeMandate })),
    {
      told: 'under mandate, beside the state of the answer and a customer',
      answer: json({ status: 'success', mandate: { handle: 'md_1', scheme: 'nets-bs' }, customer: { name: 'Ann' } }),
      shown: { handle: 'md_1', scheme: 'nets-bs', status: null },
    },
    {
      told: 'as itself, with another one among its items',
      answer: json({
        handle: 'md_1',
        status: 'Active',
        customer: { id: 'c-1' },
        items: [{ id: 'm-2', handle: 'md_2', status: 'Ended', scheme: 'nets-bs' }],
      }),
      shown: { handle: 'md_1', status: 'Active', id: null },
    },
    {
      told: 'as itself, with a field and data of its own that are empty',
      answer: json({ id: 'm-1', status: 'Active', handle: null, data: null }),
      shown: { id: 'm-1', status: 'Active', data: null },
    },
    {
      told: 'as itself, with a whole customer and data of its own',
      answer: json({ id: 'm-1', status: 'Active', customer: wholeMandate.customer, data: { id: 'x' } }),
      shown: { id: 'm-1', status: 'Active', customer: wholeMandate.customer, handle: null },
    },
    {
      told: 'with nothing but its customer',
      answer: json({ customer: { name: 'Ann' } }),
      shown: { customer: { name: 'Ann' } },
    },
  ],
)
gap(
  'body of one agreement',
  ['GET', '/Merchants/agreements/a-1'],
  [
    { told: 'one field', answer: json({ scheme: 'nets-bs' }), shown: { scheme: 'nets-bs', status: null, test: null } },
    {
      told: 'many fields',
      answer: json({ id: 1, status: 2, test: 'True', limits: { day: 1 } }),
      shown: { id: '1', status: '2', test: true, limits: { day: 1 } },
    },
    {
      told: 'under data, beside the state of the answer',
      answer: json({ status: 'success', data: { id: 'a-1', handle: 'ag_1', scheme: 'nets-bs', status: 'Active' } }),
      shown: { id: 'a-1', handle: 'ag_1', scheme: 'nets-bs', status: 'Active' },
    },
    {
      told: 'with a longer record among its items, which is another',
      answer: json({
        id: 'a-1',
        status: 'Active',
        scheme: 'nets-bs',
        items: [{ id: 'i-1', handle: 'it_1', status: 'Ended', scheme: 'sepa-core' }],
      }),
      shown: { id: 'a-1', status: 'Active', scheme: 'nets-bs', handle: null },
    },
    {
      told: 'as the result',
      answer: json({ Result: { Id: 'a-1', Status: 'active' } }),
      shown: { id: 'a-1', status: 'active' },
    },
  ],
)
gap(
  'merchant record',
  ['GET', '/Merchants'],
  [
    { told: 'a record', answer: json({ name: 'A', metaData: {} }), shown: { name: 'A' } },
    { told: 'a list of one', answer: json([{ name: 'A' }]), shown: [{ name: 'A' }] },
    {
      told: 'deep in another',
      answer: json({ merchant: { legal: { name: 'A' } } }),
      shown: { merchant: { legal: { name: 'A' } } },
    },
    { told: 'words', answer: words('A Ltd'), shown: 'A Ltd' },
    { told: 'nothing', answer: nothing(204), shown: null },
  ],
)

const address = 'https://shop.example/hook'
gapOf(
  'webhook list',
  (
    [
      ['addresses', [address]],
      ['records', [{ webhookUrl: address }]],
      ['a page in PascalCase', { Results: [{ WebhookUrl: address }], HasMore: false }],
      ['a record by name', { webhooks: { main: address } }],
      ['one record', { id: 1, url: address }],
    ] as const
  ).map(([told, reply]) => [
    told,
    async () => {
      gapSetup.play(json(reply))
      const { json: shown } = await gapSetup.ask('GET', '/Merchants/webhooks')
      expect(parseWebhooks(shown)?.entries.map((entry) => entry.address)).toEqual([address])
    },
  ]),
)

gapOf('how what was created is named', [
  [
    'by its body',
    async () => {
      gapSetup.play(json({ customer: { id: 7 } }, 201))
      const { json: done } = await gapSetup.ask('POST', '/Customers', { name: 'A' })
      expect(parseIdentity((done as { reply: unknown }).reply)).toEqual({ id: '7', handle: null })
    },
  ],
  [
    'by a Location alone',
    async () => {
      for (const location of ['/Customers/p-7', 'https://elsewhere.example/v2/customers/p-7/', '/Customers/p-7?x=1']) {
        gapSetup.play(nothing(201, { location }))
        const { json: done } = await gapSetup.ask('POST', '/Customers', { name: 'A' })
        expect(done).toEqual({ status: 201, reply: { id: 'p-7' } })
      }
    },
  ],
  [
    'not at all',
    async () => {
      for (const location of ['/queue/7', '/Customers', '/Customers/%ff', '::']) {
        gapSetup.play(nothing(202, { location }))
        expect((await gapSetup.ask('POST', '/Customers', { name: 'A' })).json).toEqual({ status: 202, reply: null })
      }
    },
  ],
])
