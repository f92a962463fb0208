/** The measures of a run as `writeTable` takes them, from its readings (each a list of one record per round). */
export function listMeasures({ desk, plain, walk, gateway }, middle, rows) {
  const many = middle.toLocaleString('en-GB')
  const all = rows.toLocaleString('en-GB')
  const of = (list, key) => list.map((reading) => reading[key]).filter((value) => value !== undefined)
  const both = (label, key) => [label, of(desk, key), of(plain, key), 'plain page']
  const own = (label, key) => [label, of(desk, key), [], '']
  const carried = (name, key) => gateway.map((round) => round[name][key])
  const added = (name) => gateway.map((round) => round[name].alone - round.upstream.alone)
  return [
    both('first row visible, CPU 1×, ms', 'first1'),
    both('first row visible, CPU 4×, ms', 'first4'),
    both('first row visible, CPU 4×, slow 4G, ms', 'firstSlow'),
    own('row 101 by scrolling, CPU 4×, ms', 'row101'),
    [`rows/s to ${many}`, of(desk, 'rate'), of(walk, 'clientRate'), 'bare client'],
    own('DOM elements at 1,000 rows', 'elements1'),
    own(`DOM elements at ${many} rows`, 'elements'),
    both(`scrolling 20 screens in 4 s at ${many} rows, CPU 4×: late frames, %`, 'lateScroll'),
    both('the same in 1 s: late frames, %', 'lateFling'),
    both('the same in 1 s: blank spots, %', 'blankFling'),
    both(`click to paint at ${many} rows, CPU 4×, ms`, 'click'),
    [`rows/s towards ${all}`, of(walk, 'walkRate'), of(walk, 'clientRate'), 'bare client'],
    [`a page of the walk to ${all}, ms`, of(walk, 'perPage'), of(walk, 'client'), 'bare client'],
    [`rows reached`, of(walk, 'reached'), [], ''],
    ['longest frame on the way, ms', of(walk, 'longest'), [], ''],
    ['script time a page, last tenth of the walk ÷ first', of(walk, 'scriptRatio'), [], ''],
    ['JS heap per 1,000 rows there, KB', of(walk, 'heap'), [], ''],
    ['DOM elements there', of(walk, 'walkElements'), [], ''],
    ['gateway, one at a time, ms', carried('gateway', 'alone'), carried('upstream', 'alone'), 'bare service'],
    ['what it adds to a request, ms', added('gateway'), added('pipe'), 'bare pipe'],
    ['gateway, 32 at once, requests/s', carried('gateway', 'saturated'), carried('pipe', 'saturated'), 'bare pipe'],
    ['the same', carried('gateway', 'saturated'), carried('upstream', 'saturated'), 'bare service'],
  ]
}
