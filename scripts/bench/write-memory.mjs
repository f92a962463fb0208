const inMegabytes = (bytes) => (bytes / 1e6).toFixed(1)

/** Megabytes in ten minutes: the slope of the straight line that lies closest to what `read` answers of the readings. */
function findSlope(readings, read) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(readings.map((reading) => reading.minute))
  const heap = mean(readings.map(read))
  const together = readings.reduce((sum, one) => sum + (one.minute - minute) * (read(one) - heap), 0)
  const apart = readings.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0)
  return ((together / apart) * 10) / 1e6
}

const readHeap = ({ heapUsed }) => heapUsed
const readRest = ({ heapUsed, code }) => heapUsed - code

function writeSlope(readings, since) {
  const counted = readings.filter(({ minute }) => minute >= since - 0.5)
  if (counted.length < 3) return null
  const [heap, rest] = [readHeap, readRest].map((read) => findSlope(counted, read).toFixed(2))
  return `${heap} MB from minute ${since} on (${rest} without the machine code)`
}

/**
 * The page docs/reports/memory.md: `readings` ({ minute, heapUsed, code, external, rss, requests }, in bytes) and their slope; `failure`
 * is what ended them early.
 */
export function writeMemory(readings, { minutes, pause, payments }, failure) {
  const { requests } = readings.at(-1)
  const slopes = [...new Set([5, 10, minutes / 2])].map((since) => writeSlope(readings, since)).filter(Boolean)
  const lines = readings.map(
    (one) =>
      `| ${one.minute.toFixed(0)} | ${one.requests.toLocaleString('en-GB')} | ${inMegabytes(one.heapUsed)} | ${inMegabytes(one.code)} | ${inMegabytes(one.external)} | ${inMegabytes(one.rss)} |`,
  )
  return `# What the desk's server keeps

Written by \`npm run bench:memory\`. An admin, a support worker and a viewer work at once: they sign in, open every page, walk the payments (all and filtered), the customers and the mandates by up to 200 pages each, open records, search, are refused, cancel payments and wait for the outcome, create and delete customers, export all payments, sign out and begin anew. The status of every reply is checked. The heap is read after three garbage collections; what V8 compiles as the work goes on is a part of it.

${new Date().toISOString().slice(0, 10)}: ${minutes} minutes, the embedded service with ${payments.toLocaleString('en-GB')} payments, ${pause} ms between the requests of each, ${requests.toLocaleString('en-GB')} requests. Node ${process.versions.node}.${failure ? `\n\nIt ended early: ${failure.message}` : ''}

Slope of the heap in 10 minutes: ${slopes.join(', ') || 'too few readings'}.

| minute | requests | heap, MB | machine code in it, MB | outside of it, MB | process, MB |
|---:|---:|---:|---:|---:|---:|
${lines.join('\n')}
`
}
