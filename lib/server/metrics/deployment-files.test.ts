import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import type { OpenDatabase } from '@/lib/database/database'
import { endpoints } from '@/lib/api-contract/endpoints'
import { states } from '../cancellations/states'
import { errorStatuses } from '../runtime/app-error'
import { setMemoryStore } from '../testing/store-fixture'
import { breakerStates, getInstruments } from './instruments'
import { measureProcess, renderMetrics } from './scrape'

/*
 * What the dashboard and the alert rules ask for exists: each metric in the output of a scrape or among the declared
 * ones, each label at its metric, each value of a label among those that it can have.
 */

const alerts = z
  .object({
    groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
  })
  .parse(parse(readFileSync('docs/deploy/alerts.yaml', 'utf8')))
const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(readFileSync('docs/deploy/grafana-dashboard.json', 'utf8')))
const queries = [
  ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr])),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }, index): [string, string] => [`${title} ${index}`, expr]),
  ),
]

const failures = [...Object.keys(errorStatuses), 'not-sent', '1xx', '2xx', '3xx', '4xx', '5xx', '429']
/** What each label can be; a label that is missing here is refused. `route` is checked in scrape.test.ts. */
const labelValues: Record<string, readonly string[] | RegExp> = {
  endpoint: Object.keys(endpoints),
  outcome: [...failures, 'accepted', 'refused', 'locked-out', 'allowed'],
  code: Object.keys(errorStatuses),
  operation: ['read', 'heartbeat', 'ledger-commit'],
  queue: ['http', 'upstream', 'mail', 'notices', 'password-requests'],
  state: [...breakerStates, ...Object.keys(states), 'preparing', 'ready', 'awaiting', 'starting', 'running', 'paused'],
  status: /^(?:[1-5]\d\d|aborted)$/u,
  method: /^(?:[A-Z]+|other)$/u,
  route: /^(?:\/.*|other)$/u,
}
/** Labels that Prometheus adds or computes. */
const outerLabels = ['job', 'instance', 'le']
const isOurs = (name: string) => /^(?:debitdesk|nodejs|process)_/u.test(name)

let store: OpenDatabase
let names: Map<string, readonly string[]>

beforeAll(async () => {
  store = await setMemoryStore()
  measureProcess()
  await renderMetrics()
  names = new Map()
  for (const { name, type } of await getInstruments().registry.getMetricsAsJSON()) {
    const labels = listLabels(name)
    const suffixes = String(type) === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const suffix of suffixes) names.set(`${name}${suffix}`, labels)
  }
})
afterAll(() => store.close())

function listLabels(name: string): string[] {
  const metric: object = getInstruments().registry.getSingleMetric(name) ?? {}
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : []
}

/** The metrics of a query with their matchers. Ours contain no brace or quote inside a value. */
function listSelectors(query: string): { name: string; matchers: string[][] }[] {
  return Array.from(query.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+|up)\b(?:\{([^}]*)\})?(?!\s*\()/gu))
    .map(([, name = '', matchers = '']) => ({
      name,
      matchers: Array.from(matchers.matchAll(/(\w+)(?:=~?|!=|!~)"([^"]*)"/gu), ([, label = '', value = '']) => [
        label,
        ...value.split('|'),
      ]),
    }))
    .filter(({ name }) => isOurs(name))
}

describe.each(queries)('the query of %s', (_, query) => {
  it('names metrics that exist, with labels and values that they have', () => {
    const selectors = listSelectors(query)
    expect(selectors.length > 0 || query.startsWith('up{')).toBe(true)
    for (const { name, matchers } of selectors) {
      expect([...names.keys()]).toContain(name)
      for (const [label = '', ...values] of matchers) {
        if (outerLabels.includes(label)) continue
        expect(names.get(name)).toContain(label)
        for (const value of values) expect(isAllowed(label, value), `${label}="${value}"`).toBe(true)
      }
    }
    const grouped = Array.from(query.matchAll(/\bby \(([^)]*)\)/gu), ([, list = '']) => list.split(', ')).flat()
    for (const label of grouped.filter((one) => !outerLabels.includes(one)))
      expect(selectors.some(({ name }) => names.get(name)?.includes(label))).toBe(true)
  })
})

function isAllowed(label: string, value: string): boolean {
  const allowed = labelValues[label]
  if (value === '5..' && label === 'status') return true
  return allowed instanceof RegExp ? allowed.test(value) : (allowed?.includes(value) ?? false)
}

describe('the metrics', () => {
  it('have only labels whose values are known', async () => {
    const unknown = Array.from(names)
      .filter(([name]) => name.startsWith('debitdesk_'))
      .flatMap(([name, labels]) => labels.filter((label) => !(label in labelValues)).map((label) => `${name} ${label}`))
    expect(unknown).toEqual([])
    const text = await renderMetrics()
    const pairs = Array.from(text.matchAll(/^debitdesk_\w+\{(.*)\}/gmu)).flatMap(([, labels = '']) =>
      Array.from(labels.matchAll(/(\w+)="([^"]*)"/gu), ([, label = '', value = '']) => ({ label, value })),
    )
    expect(pairs.length).toBeGreaterThan(0)
    expect(pairs.filter(({ label, value }) => label !== 'le' && !isAllowed(label, value))).toEqual([])
  })

  it('follow the conventions of names and units', () => {
    const ours = [...names.keys()].filter((name) => name.startsWith('debitdesk_'))
    const wrong = ours.filter((name) => /_(?:ms|milliseconds|minutes|percent)(?:_|$)/u.test(name))
    expect(wrong).toEqual([])
  })

  it('are all on the dashboard or in an alert', () => {
    const used = new Set(queries.flatMap(([, query]) => listSelectors(query).map(({ name }) => name)))
    const unused = [...names.keys()].filter(
      (name) => name.startsWith('debitdesk_') && !/_(?:count|sum)$/u.test(name) && !used.has(name),
    )
    expect(unused).toEqual([])
  })
})
