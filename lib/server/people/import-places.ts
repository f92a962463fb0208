import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { ImportCandidate } from '@/lib/domain/customers/customer-import'
import { erasedText, type OpenWork } from '@/lib/domain/people'
import { customerImportRows, customerImports } from '../store/import-schema'
import { fold, isOwnId, mentionsPerson, namesPerson, type Person, redactText, someText } from './person'
import { definePlace, followKey } from './place'

type Line = typeof customerImportRows.$inferSelect & { importState: typeof customerImports.$inferSelect.state }
type LineChange = Partial<Pick<Line, 'body' | 'message' | 'candidates' | 'state' | 'settledBy'>>

/**
 * Whether a line is the person's: by the customer that it made, else by one of their numbers or names as a whole; a name that
 * only holds one decides where a number is missing. One that made another customer, also where its id isn't known yet, is a
 * namesake's; one that only shares the address is of the same household.
 */
function isOwnLine({ customerId, handle, body, state }: Line, person: Person): boolean {
  if (customerId !== null) return isOwnId(person, customerId) || isOwnId(person, handle)
  const [number, name] = [fold(body['number'] ?? ''), fold(body['name'] ?? '')]
  const isEither = (text: string, own: string) =>
    text !== '' && (text === own || person.searched.some((one) => fold(one) === text))
  if (isEither(number, person.number)) return true
  if (number === '' || person.number === '') return isEither(name, person.name) || namesPerson(person, name)
  return state !== 'created' && isEither(name, person.name)
}

const isOwnCandidate = (person: Person, { id, name, number }: ImportCandidate) =>
  isOwnId(person, id) || someText([name, number], (text) => namesPerson(person, text))

function eraseLine(line: Line, person: Person): LineChange | null {
  const { body, message, candidates } = line
  if (isOwnLine(line, person)) {
    if (Object.keys(body).length === 0 && message === null && candidates === null) return null
    // It would otherwise be sent without a name. With the same file it doesn't come back, as it is empty (startImport).
    const isUnsent = line.state === 'waiting'
    const end = isUnsent ? ({ state: 'left-out', settledBy: null } as const) : {}
    return { body: {}, message: null, candidates: null, ...end }
  }
  const left =
    candidates && candidates.map((one) => (isOwnCandidate(person, one) ? { ...one, name: null, number: null } : one))
  const text = message && redactText(person, message)
  const isChanged = text !== message || JSON.stringify(left) !== JSON.stringify(candidates)
  return isChanged ? { message: text, candidates: left } : null
}

/** A line that may still be sent, or whose customer is being looked for. */
function openLine({ importId, importState, state }: Line): OpenWork | null {
  const isOpen = state === 'unknown' || (state === 'waiting' && importState === 'running')
  return isOpen ? { kind: 'import', id: importId } : null
}

const { importId, line: lineNumber } = customerImportRows

/** Lines of imports: the customer that a line made stays. */
export const importLinePlace = definePlace<Line, LineChange>({
  kind: 'import',
  pages: (db, { connectionId }) =>
    followKey(
      (after: Line | null, limit) =>
        db
          .select({ row: customerImportRows, importState: customerImports.state })
          .from(customerImportRows)
          .innerJoin(customerImports, eq(customerImports.id, importId))
          .where(
            and(
              eq(customerImports.connectionId, connectionId),
              after
                ? or(gt(importId, after.importId), and(eq(importId, after.importId), gt(lineNumber, after.line)))
                : undefined,
            ),
          )
          .orderBy(asc(importId), asc(lineNumber))
          .limit(limit)
          .then((rows) => rows.map(({ row, importState }) => ({ ...row, importState }))),
      (row) => row,
    ),
  inspect: (line, person) => {
    const change = eraseLine(line, person)
    const isOwn = isOwnLine(line, person)
    if (change === null && !isOwn) return null
    const { importId: id, line: number, body, state, customerId, handle, message, sentAt } = line
    const candidates = isOwn ? line.candidates : line.candidates?.filter((one) => isOwnCandidate(person, one))
    const shown = { importId: id, line: number, state, customerId, handle, sentAt, message, candidates }
    return { shown: { ...shown, ...(isOwn && { body }) }, change, open: openLine(line) }
  },
  lock: async (tx, rows) => {
    const [first] = rows
    if (!first) return []
    const isMeant = or(...rows.map((row) => and(eq(importId, row.importId), eq(lineNumber, row.line))))
    const locked = await tx
      .select({ row: customerImportRows, importState: customerImports.state })
      .from(customerImportRows)
      .innerJoin(customerImports, eq(customerImports.id, importId))
      .where(isMeant)
      .orderBy(asc(importId), asc(lineNumber))
      .for('update')
    return locked.map(({ row, importState }) => ({ ...row, importState }))
  },
  store: async (tx, changes) => {
    for (const { row, change } of changes)
      await tx
        .update(customerImportRows)
        .set(change)
        .where(and(eq(importId, row.importId), eq(lineNumber, row.line)))
  },
})

type ImportRow = typeof customerImports.$inferSelect

/** Imports themselves, whose file may be named after a person. */
export const importPlace = definePlace<ImportRow, Pick<ImportRow, 'fileName'>>({
  kind: 'import',
  pages: (db, { connectionId }) =>
    followKey(
      (after: string | null, limit) =>
        db
          .select()
          .from(customerImports)
          .where(
            and(
              eq(customerImports.connectionId, connectionId),
              after === null ? undefined : gt(customerImports.id, after),
            ),
          )
          .orderBy(asc(customerImports.id))
          .limit(limit),
      ({ id }) => id,
    ),
  inspect: ({ id, fileName, startedBy, createdAt }, person) =>
    mentionsPerson(person, fileName)
      ? {
          shown: { importId: id, fileName, startedBy, createdAt },
          change: { fileName: namesPerson(person, fileName) ? redactText(person, fileName) : erasedText },
          open: null,
        }
      : null,
  lock: (tx, rows) =>
    tx
      .select()
      .from(customerImports)
      .where(
        inArray(
          customerImports.id,
          rows.map(({ id }) => id),
        ),
      )
      .orderBy(asc(customerImports.id))
      .for('update'),
  store: async (tx, changes) => {
    for (const { row, change } of changes)
      await tx.update(customerImports).set(change).where(eq(customerImports.id, row.id))
  },
})
