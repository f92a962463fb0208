import { describe, expect, it } from 'vitest'
import { guessMapping, readCustomerLines } from './customer-csv'
import { parseCsv } from './parse-csv'
import { writeCsv } from './write-csv'

describe('a file of customers', () => {
  it('is read with quotes, line ends of both kinds, empty lines and the byte order mark', () => {
    const text = '\uFEFFName;Number\r\n"Søn; ""A"" & Co\nLtd";1\n\n  \r\nBo;2'
    expect(parseCsv(text)).toEqual({
      rows: [
        { line: 1, cells: ['Name', 'Number'] },
        { line: 2, cells: ['Søn; "A" & Co\nLtd', '1'] },
        { line: 6, cells: ['Bo', '2'] },
      ],
      separator: ';',
      openQuote: null,
    })
  })

  it('says where a quote begins that never ends', () => {
    expect(parseCsv('a,b\n1,"2\n3,4').openQuote).toBe(2)
  })

  it('is mapped by the words of its first line, and holds only what is not empty', () => {
    const mapping = guessMapping(['Customer no', 'NAME', 'Address', 'Zip code', 'Town', 'Notes'])
    expect(mapping).toEqual({ name: 1, addressLine1: 2, postalCode: 3, city: 4, number: 0 })
    expect(readCustomerLines('no,name,a,z,t\n7, Ann ,,6760,\n', mapping)).toEqual([
      { line: 2, body: { number: '7', name: 'Ann', postalCode: '6760' }, cells: 4, columns: 5 },
    ])
  })
})

describe('a file that is written', () => {
  it.each(['=1+1', '+1', '-1', '@x', '\tx', '＝x'])('defuses %j', (value) => {
    expect(writeCsv([[value]]).slice(1)).toMatch(/^"?'/u)
  })

  it('is read back as it was', () => {
    const rows = [
      ['a', 'b'],
      ['x "y", z', 'line\r\nbreak'],
    ]
    expect(parseCsv(writeCsv(rows)).rows.map(({ cells }) => cells)).toEqual(rows)
  })
})
