import { listUnknownFields } from '@/lib/api-contract/record-fields'
import { truncate } from '@/lib/domain/text/visible-text'
import { LongText } from '../ui/untrusted-text'
import * as m from '@/lib/messages/m'

/** Rendering limits: a record may hold anything. */
const MAX_DEPTH = 20
const MAX_ENTRIES = 200
/** Screen readers read a label before its value. */
const MAX_LABEL_LENGTH = 60

type Entry = readonly [name: string, value: unknown]

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an element such as `{ key: 'cvrNumber', value: '12345678' }` as a name and a value. */
function parsePair(value: unknown): Entry | null {
  if (!isRecord(value)) return null
  const names = Object.keys(value)
  if (names.length !== 2) return null
  const key = names.find((name) => ['key', 'name'].includes(name.toLowerCase()))
  const valueKey = names.find((name) => name.toLowerCase() === 'value')
  if (key === undefined || valueKey === undefined || typeof value[key] !== 'string') return null
  return [value[key], value[valueKey]]
}

function listEntries(value: object): Entry[] {
  if (!Array.isArray(value)) return Object.entries(value)
  return value.map((element, index): Entry => parsePair(element) ?? [String(index + 1), element])
}

function Leaf({ name, value }: { name: string; value: unknown }) {
  if (value === null || value === undefined) return <span className="text-ink-faint">{m.controls_nothing()}</span>
  if (value === '') return <span className="text-ink-faint">{m.controls_emptyText()}</span>
  if (typeof value === 'boolean') return <span>{value ? m.controls_yes() : m.controls_no()}</span>
  return <LongText label={name} text={typeof value === 'string' ? value : JSON.stringify(value)} />
}

function Branch({ value, depth }: { value: object; depth: number }) {
  const entries = listEntries(value)
  if (entries.length === 0)
    return (
      <span className="text-ink-faint">{Array.isArray(value) ? m.controls_emptyList() : m.controls_emptyObject()}</span>
    )
  if (depth > MAX_DEPTH) return <span className="text-ink-faint">{m.controls_moreTooDeepToShow()}</span>
  return (
    <dl className={depth === 0 ? 'grid gap-y-1.5' : 'mt-1 grid gap-y-1.5 border-l border-line pl-3'}>
      {entries.slice(0, MAX_ENTRIES).map(([name, held], index) => {
        const isBranch = typeof held === 'object' && held !== null
        return (
          // Elements have no identity but their index.
          <div
            key={`${index} ${name}`}
            className={isBranch ? 'min-w-0' : 'grid min-w-0 grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-3'}
          >
            <dt className="min-w-[7.25rem] text-[0.8125rem] wrap-anywhere text-ink-soft">
              <LongText label={truncate(name, MAX_LABEL_LENGTH)} text={name} />
            </dt>
            <dd className="min-w-0 wrap-anywhere text-ink">
              {isBranch ? (
                <Branch value={held} depth={depth + 1} />
              ) : (
                <Leaf name={truncate(name, MAX_LABEL_LENGTH)} value={held} />
              )}
            </dd>
          </div>
        )
      })}
      {entries.length > MAX_ENTRIES ? (
        <div>
          <dt className="text-[0.8125rem] text-ink-soft">
            {m.controls_andMore({ count: entries.length - MAX_ENTRIES })}
          </dt>
        </div>
      ) : null}
    </dl>
  )
}

/** Data of any shape (schemeData, metaData, undocumented fields) as a readable tree. */
export function DataTree({ value }: { value: unknown }) {
  return typeof value === 'object' && value !== null ? (
    <Branch value={value} depth={0} />
  ) : (
    <Leaf name={m.controls_value()} value={value} />
  )
}

/** A record's scheme data, of any shape. */
export function SchemeData({ value }: { value: unknown }) {
  return (
    <section className="border-t border-line py-4" data-field="schemeData">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{m.recordSections_schemeData()}</h2>
      {value === undefined || value === null ? (
        <p className="text-ink-soft">{m.recordSections_serviceDidNotSayAny()}</p>
      ) : (
        <DataTree value={value} />
      )}
    </section>
  )
}

/** Fields of a record other than `shown`; nothing if there are none. */
export function FurtherFields({ record, shown }: { record: object; shown: readonly string[] }) {
  const further = listUnknownFields(record, shown)
  if (!further) return null
  return (
    <section className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{m.recordSections_everythingElseTheServiceSaid()}</h2>
      <DataTree value={further} />
    </section>
  )
}
