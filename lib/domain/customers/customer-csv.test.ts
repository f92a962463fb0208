import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkCustomerLine, explainRepeat, guessMapping, parseCustomerLines } from './customer-csv'
import { csvFlavourOf, parseCsv, unescapeFormulas, writeCsv } from '../csv'

describe('a file of customers', () => {
  it('is read with quotes, line ends of both kinds, empty lines and the byte order mark', () => {
    const text = '\uFEFFName;Number\r\n"Søn; ""A"" & Co\nLtd";1\n\n  \r\nBo;2'
    expect(parseCsv(text)).toEqual({
      isNamed: false,
      rows: [
        { line: 1, cells: ['Name', 'Number'] },
        { line: 2, cells: ['Søn; "A" & Co\nLtd', '1'], isQuoted: true },
        { line: 6, cells: ['Bo', '2'] },
      ],
      separator: ';',
    })
  })

  it('is read with lines that end as old Mac programs end them', () => {
    expect(parseCsv('Name;Number\r"Søn\rLtd";1\r\rBo;2\r').rows).toEqual([
      { line: 1, cells: ['Name', 'Number'] },
      { line: 2, cells: ['Søn\nLtd', '1'], isQuoted: true },
      { line: 5, cells: ['Bo', '2'] },
    ])
    // Beside other line ends it is part of the text.
    expect(parseCsv('a,b\n1\r2,3').rows).toMatchObject([{}, { cells: ['1\r2', '3'] }])
  })

  it('says where a quote begins that never ends', () => {
    expect(parseCsv('a,b\n1,"2\n3,4').rows).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1,"2'], isOpen: true },
      { line: 3, cells: ['3', '4'] },
    ])
  })

  it.each([
    ['sep=;\r\nName;Number, old\r\nBo;1', ';'],
    ['\uFEFFSEP=,\nName,"Number; old"\nBo,1', ','],
    ['sep=\t\nName\tNumber\nBo\t1', '\t'],
    ['sep=|\rName|Number\rBo|1', '|'],
  ])('obeys the first line by which Excel knows the separator: %j', (text, separator) => {
    const read = parseCsv(text)
    expect(read.separator).toBe(separator)
    expect(read.rows.map(({ line, cells }) => [line, cells.length, cells[0]])).toEqual([
      [2, 2, 'Name'],
      [3, 2, 'Bo'],
    ])
  })

  it('is mapped by the words of its first line, and holds only what is not empty', () => {
    const mapping = guessMapping(['Customer no', 'NAME', 'Address', 'Zip code', 'Town', 'Notes'])
    expect(mapping).toEqual({ name: 1, addressLine1: 2, postalCode: 3, city: 4, number: 0 })
    expect(parseCustomerLines('no,name,a,z,t\n7, Ann ,,6760,\n', mapping)).toEqual([
      {
        line: 2,
        body: { number: '7', name: 'Ann', postalCode: '6760' },
        cells: 4,
        columns: 5,
        isOpen: false,
        repeats: null,
      },
    ])
  })

  it.each([
    ['Danish', ['Kundenr.', 'Navn', 'Adresse', 'Post-nr', 'By', 'Land']],
    ['German', ['Kunden-Nr.', 'Name', 'Straße', 'PLZ', 'Ort', 'Land']],
    ['Swedish', ['Kundnummer', 'Namn', 'Adress', 'Postnummer', 'Ort', 'Land']],
  ])('knows the column names of %s programs', (_, header) => {
    expect(guessMapping(header)).toEqual({ number: 0, name: 1, addressLine1: 2, postalCode: 3, city: 4, country: 5 })
  })

  it('says which lines repeat a customer number, and which have a quote that never ends', () => {
    const lines = parseCustomerLines('no,name\n7,Ann\n8,Bo\n7,Cis\n9,"Dan\n,Eve\n,Fay', { number: 0, name: 1 })
    expect(lines.map((line) => [line.line, explainRepeat(line), checkCustomerLine(line)])).toEqual([
      [2, null, null],
      [3, null, null],
      [4, 'Same customer number as line 2.', null],
      [5, null, 'A quotation mark opens here and never closes.'],
      [6, null, null],
      [7, null, null],
    ])
  })
})

it('says that a line repeats a number only after one that is created, and whatever its case', () => {
  const read = (text: string) =>
    parseCustomerLines(`no,name\n${text}`, { number: 0, name: 1 }).map(({ line, repeats }) => [line, repeats])
  // Without a name, with a quote that never closes, with more cells than the heading.
  expect(read('7,\n7,Ann\n7,Bo\n8,Cis,x\n8,Dan\n9,"Eve')).toEqual([
    [2, null],
    [3, null],
    [4, 3],
    [5, null],
    [6, null],
    [7, null],
  ])
  expect(read('a12,Ann\nA12,Bo\n\u00e5,Cis\nA\u030a,Dan\na,Eve')).toEqual([
    [2, null],
    [3, 2],
    [4, null],
    [5, 4],
    [6, null],
  ])
})

const hostile = ['=', '+', '-', '@', '|', "'", '"', ';', ',', '\t', '\r', '\n', ' ', 'a', '＝']

/** The cells that a spreadsheet would take for a formula which separates them so; a line end of either half ends a row. */
function findFormulas(text: string, separator: string): string[] {
  return [text, text.replaceAll('\r', '\n')].flatMap((one) =>
    parseCsv(one, () => separator).rows.flatMap(({ cells }) => cells.filter((cell) => /^[=+\-@|＝]/u.test(cell))),
  )
}

describe('a file that is written', () => {
  it('has semicolons and decimal commas where spreadsheets expect them', () => {
    expect([csvFlavourOf('da-DK'), csvFlavourOf('de'), csvFlavourOf('en-GB')]).toEqual([
      'semicolon',
      'semicolon',
      'comma',
    ])
    const rows = [['Søn; Co', { number: '-1245.50' }, 'a.b', '=1']]
    expect(writeCsv(rows, 'semicolon')).toBe('\uFEFF"Søn; Co";-1245,50;a.b;\'=1\r\n')
    expect(writeCsv(rows)).toBe('\uFEFF"Søn; Co",-1245.50,a.b,\'=1\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '＝x'])('defuses %j', (value) => {
    expect(writeCsv([[value]]).slice(1)).toMatch(/^"?'/u)
  })

  it.each(['x;=1+1;y', 'x;"=1+1";y', 'x;; +1', 'x\n=1', 'x\r=1', 'x\t@y', "x;'=1", 'x;\t=1'])(
    'defuses what is a cell where a semicolon or tab separates them: %j',
    (value) => {
      const text = writeCsv([['a', value, 'b']])
      for (const separator of [',', ';', '\t']) expect(findFormulas(text, separator)).toEqual([])
    },
  )

  it.each(['comma', 'semicolon'] as const)(
    'holds no formula and is read back as it was, whatever the text: %s',
    (flavour) => {
      const text = fc.string({ unit: fc.constantFrom(...hostile), maxLength: 8 })
      fc.assert(
        fc.property(
          fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
          (rows) => {
            const written = writeCsv([['head', 'of', 'three'], ...rows], flavour)
            for (const separator of [',', ';', '\t']) expect(findFormulas(written, separator)).toEqual([])
            const [, ...read] = parseCsv(written, () => (flavour === 'comma' ? ',' : ';')).rows
            const full = rows.filter((row) =>
              row.some(
                (cell) =>
                  writeCsv([[cell]])
                    .slice(1)
                    .trim() !== '',
              ),
            )
            expect(read.map(({ cells }) => cells.map((cell) => unescapeFormulas(cell, flavour)))).toEqual(full)
          },
        ),
        { numRuns: 2_000 },
      )
    },
  )

  it('leaves alone what is no formula anywhere', () => {
    for (const value of ['a,-5', '[1,-2]', 'a-b', 'x; y', '2 + 2 = 4']) expect(writeCsv([[value]])).not.toContain("'")
  })

  it('is read back as it was', () => {
    const rows = [
      ['a', 'b'],
      ['x "y", z', 'line\r\nbreak'],
    ]
    expect(parseCsv(writeCsv(rows)).rows.map(({ cells }) => cells)).toEqual(rows)
  })
})
