type Sized = { id: string; width: string }

/** Columns as an address writes them, which `arrangeColumns` reads; a width only where it is not the one of `declared`. */
export function writeLayout(columns: readonly Sized[], declared: readonly Sized[]): string {
  return columns
    .map(({ id, width }) => {
      const isOwn = declared.some((one) => one.id === id && one.width !== width)
      return isOwn ? `${id}-${Math.round(Number.parseFloat(width) * 16)}` : id
    })
    .join('.')
}
