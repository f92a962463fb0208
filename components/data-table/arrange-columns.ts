import type { Column } from './define-table'

/** At which widths of the list columns join in; data-table.css has them. */
export const stages: readonly Column<never>['from'][] = [undefined, 'wide', 'wider', 'widest']

/** Which of `arrangeColumns` are in sight in a list of that width: the number of a stage, or a phone's cards. */
export function pickColumns<One extends Pick<Column<never>, 'from' | 'card'>>(
  columns: readonly One[],
  stage: number | 'cards',
): readonly One[] {
  if (stage === 'cards') return columns.filter(({ card }) => card !== 'none')
  return columns.filter(({ from }) => from !== 'card' && stages.indexOf(from) <= stage)
}

const narrowest = 48
const widest = 960

function withWidth<Row>(column: Column<Row>, given: string | undefined): Column<Row> {
  const width = Math.min(widest, Math.max(narrowest, Number(given)))
  return { ...column, from: undefined, ...(width && { width: `${width / 16}rem` }) }
}

/**
 * The columns of a table as its reader wants them: `layout` has their ids in order, with a width in pixels (at the
 * usual size of letters) where one was chosen, such as `reference-160.payer`; null for those that the table comes with. What it does not
 * name still stands on a phone's card.
 */
export function arrangeColumns<Row>(columns: readonly Column<Row>[], layout: string | null): readonly Column<Row>[] {
  const parts = new Map<string, string | undefined>()
  for (const part of layout?.split('.') ?? []) {
    const [id = '', width] = part.split('-')
    parts.set(id, width)
  }
  const chosen = [...parts].flatMap(([id, width]) => {
    const column = columns.find((one) => one.id === id)
    return column ? withWidth(column, width) : []
  })
  if (chosen.length === 0) return columns.filter(({ from }) => from !== 'chosen')
  const others = columns.filter(({ id, card }) => card !== 'none' && !parts.has(id))
  return [...chosen, ...others.map((column) => ({ ...column, from: 'card' as const }))]
}
