import { pickColumns, stages } from './arrange-columns'
import type { Column } from './define-table'

/** The least width that the columns need together: below it the grid scrolls sideways. */
function sumWidths(widths: readonly string[]): string {
  const least = widths.map((width) => Number.parseFloat(/([\d.]+)rem/u.exec(width)?.[1] ?? '0'))
  return `${least.reduce((sum, width) => sum + width, 0)}rem`
}

/** The grid's tracks, and their least width together, for each of the widths at which columns join in. */
export function writeTracks(
  columns: readonly Pick<Column<never>, 'width' | 'from' | 'card'>[],
  selects: boolean,
): Record<`--${string}`, string> {
  const pairs = stages.flatMap((_, stage) => {
    const widths = [...(selects ? ['2.25rem'] : []), ...pickColumns(columns, stage).map(({ width }) => width)]
    return [
      [`--dt-columns-${stage}`, widths.join(' ')],
      [`--dt-width-${stage}`, `calc(${sumWidths(widths)} + 2 * var(--dt-pad) - 1rem)`],
    ]
  })
  return Object.fromEntries(pairs)
}
