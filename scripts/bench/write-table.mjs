const format = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 })
const show = (value) => (value >= 1_000 ? Math.round(value).toLocaleString('en-GB') : format.format(value))

function summarise(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).toSorted((one, other) => one - other)
  if (sorted.length === 0) return null
  const middle = (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
  return { middle, min: sorted[0], max: sorted.at(-1) }
}

function writeCell(sum) {
  if (!sum) return '–'
  return sum.min === sum.max ? show(sum.middle) : `${show(sum.middle)} (${show(sum.min)}–${show(sum.max)})`
}

/**
 * The table of `measures` ([label, values of the desk, values of the reference, the reference's name]): median and
 * (min–max) of each, and the ratio of the medians.
 */
export function writeTable(measures) {
  const lines = measures
    .map(([label, ours, theirs, name]) => [label, summarise(ours), summarise(theirs), name])
    .filter(([, ours]) => ours)
    .map(([label, ours, theirs, name]) => {
      const ratio = theirs && theirs.middle > 0 ? show(ours.middle / theirs.middle) : '–'
      return `| ${label} | ${writeCell(ours)} | ${theirs ? `${writeCell(theirs)} ${name}` : '–'} | ${ratio} |`
    })
  return ['| measure | desk | reference | ratio |', '|---|---:|---:|---:|', ...lines].join('\n')
}
