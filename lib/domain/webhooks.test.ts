import { describe, expect, it } from 'vitest'
import { parseEvent, parseWebhooks } from './webhooks'

const address = 'https://example.com/hooks'

describe('what an event says', () => {
  const said = {
    objectType: 'payment',
    eventType: 'settled',
    timeStamp: '2026-11-20T10:00:00Z',
    id: '4711',
    reference: null,
  }
  const nothing = { objectType: null, eventType: null, timeStamp: null, id: null, reference: null }

  it.each([
    { objectType: 'payment', eventType: 'settled', timeStamp: '2026-11-20T10:00:00Z', data: { id: '4711' } },
    { ObjectType: 'payment', EventType: 'settled', TimeStamp: '2026-11-20T10:00:00Z', Data: { Id: 4711 } },
    { objecttype: 'payment', EVENTTYPE: 'settled', timestamp: '2026-11-20T10:00:00Z', data: { ID: '4711' } },
  ])('is read in any letter case, with ids as text or numbers: %j', (event) => {
    expect(parseEvent(event)).toEqual(said)
  })

  it('is read from the type of Standard Webhooks where it names no object, and only of records we know', () => {
    const [timestamp, data] = ['2026-11-20T10:00:00Z', { id: '4711' }]
    expect(parseEvent({ type: 'payment.settled', timestamp, data })).toEqual(said)
    expect(parseEvent({ Type: 'Customer.address.changed', timestamp, data })).toEqual({
      ...said,
      objectType: 'Customer',
      eventType: 'address.changed',
    })
    expect(parseEvent({ ...said, type: 'mandate.expired', data })).toEqual(said)
    expect(parseEvent({ type: 'payment.settled', eventType: 'collected', data })).toMatchObject({
      objectType: 'payment',
      eventType: 'collected',
    })
    for (const type of ['com.example.payment.settled', 'payment', 'payment.', '.payment', 'invoice.paid', 7, null])
      expect(parseEvent({ type, data })).toEqual({ ...nothing, id: '4711' })
  })

  it('names its record by the reference, else the handle', () => {
    expect(parseEvent({ data: { Reference: 'INV-1', handle: 'pm_1' } }).reference).toBe('INV-1')
    expect(parseEvent({ data: { reference: '', handle: 'pm_1' } }).reference).toBe('pm_1')
  })

  it('is no id where a number is rounded, or two names match', () => {
    expect(parseEvent(JSON.parse('{"data":{"id":9007199254740993}}')).id).toBe(null)
    expect(parseEvent({ data: { Id: 1, ID: 2 } }).id).toBe(null)
    expect(parseEvent(['x'])).toEqual(nothing)
  })
})

describe('the webhook list, whose shape is not shown', () => {
  it.each([
    ['an array of strings', [address]],
    ['an array of objects', [{ id: '1', webhookUrl: address }]],
    ['objects in another letter case', [{ WebhookURL: address }]],
    ['objects that call it otherwise', [{ callbackUrl: address }]],
    ['a pagination container', { results: [{ webhookUrl: address }], hasMore: false, nextOffset: null }],
    ['a container of strings', { webhooks: [address] }],
    ['a container in a container', { data: { items: [{ url: address }] } }],
    ['a container of an unforeseen name', { callbacks: [{ url: address }], count: 1 }],
    ['one object', { webhookUrl: address }],
    ['a record by name', { webhooks: { main: address } }],
    ['a record by address', { [address]: { active: true } }],
    ['a container in PascalCase', { Results: [{ WebhookUrl: address }], HasMore: false }],
  ])('is read from %s', (_, reply) => {
    expect(parseWebhooks(reply)?.entries.map((entry) => entry.address)).toEqual([address])
  })

  it.each([[null], [undefined], ['text'], [7], [{}], [{ a: [], b: [] }], [{ docs: 'see elsewhere' }]])(
    'is not taken for empty in %j',
    (reply) => {
      expect(parseWebhooks(reply)).toBeNull()
    },
  )

  it('is empty when the service says so', () => {
    expect(parseWebhooks([])).toEqual({ entries: [], unread: 0, isWhole: true })
  })

  it('counts entries without an address, and says when there are more', () => {
    expect(parseWebhooks({ results: [{ a: 1 }, null, '', address], hasMore: true })).toMatchObject({
      unread: 3,
      isWhole: false,
    })
  })

  it('says when there are more, also where the container is in another', () => {
    expect(parseWebhooks({ data: { items: [address], hasMore: true } })?.isWhole).toBe(false)
    expect(parseWebhooks({ results: [address], paging: { hasMore: true } })?.isWhole).toBe(false)
    expect(parseWebhooks({ data: { items: [address], hasMore: false } })?.isWhole).toBe(true)
  })

  it('keeps the address exactly, and what else was said', () => {
    const odd = ' HTTPS://Example.com:443/%7Ea '
    expect(parseWebhooks([{ webhookUrl: odd, createdAt: '2026-11-20T00:00:00Z', active: true }])?.entries).toEqual([
      {
        address: odd,
        id: null,
        createdAt: '2026-11-20T00:00:00Z',
        failingSince: null,
        disabled: null,
        further: { active: true },
      },
    ])
  })

  it('says which entries are failing or disabled, in any letter case, and keeps what it cannot read', () => {
    const [since, at] = ['2026-11-20T00:00:00Z', '2026-11-23T00:00:00Z']
    const read = (members: object) => parseWebhooks([{ webhookUrl: address, ...members }])?.entries[0]
    expect(read({ failingSince: since })).toMatchObject({ failingSince: since, disabled: null, further: null })
    expect(read({ FailingSince: since, DisabledAt: at, DisabledBecause: 'failing' })).toMatchObject({
      disabled: { at, because: 'failing' },
      further: null,
    })
    expect(read({ disabledAt: at })?.disabled).toEqual({ at, because: null })
    expect(read({ disabledAt: null, disabledBecause: null })?.disabled).toBe(null)
    expect(read({ disabledAt: at, disabledBecause: { code: 1 } })).toMatchObject({
      disabled: { at, because: null },
      further: { disabledBecause: { code: 1 } },
    })
  })

  it.each(['0001-01-01T00:00:00', '0001-01-01T00:00:00Z', 'false', '', false, 0])('reads no date in %j', (written) => {
    const members = { disabledAt: written, failingSince: written }
    const [read] = parseWebhooks([{ webhookUrl: address, ...members }])?.entries ?? []
    expect(read).toMatchObject({ disabled: null, failingSince: null, further: members })
  })
})
