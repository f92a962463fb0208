import { expect, test } from 'vitest'
import { parseReferences } from './payment-references'

/** The ids of a list with their reasons, as they are sent. */
const readGiven = (text: string) => parseReferences(text).rows.map(({ given, reason }) => ({ given, reason }))

/** What is not sent, and what may be another id. */
function readRest(text: string) {
  const { rows, unusedColumns } = parseReferences(text)
  return {
    unusedColumns,
    leftOut: rows.flatMap(({ line, leftOut }) => (leftOut.length === 0 ? [] : [[line, ...leftOut]])),
    otherIds: rows.flatMap(({ line, otherId }) => (otherId === null ? [] : [[line, otherId]])),
  }
}
const nothing = { unusedColumns: [], leftOut: [], otherIds: [] }

test.each([
  ['line ends of either kind, blank lines and a mark', '\uFEFFone\r\n\r\n  two  \n\n\nthree', ['one', 'two', 'three']],
  ['duplicates, which are told and not hidden', 'one\none\n', ['one', 'one']],
  ['a heading', 'Payment ID;Reason\none;x', ['one']],
  ['nothing', ' \r\n \n', []],
])('reads %s (BK-05)', (_, text, given) => {
  expect(readGiven(text).map((row) => row.given)).toEqual(given)
})

test('reads a reason beside an id, quoted or not', () => {
  expect(readGiven('a;"Twice; by mistake"\nb;\nc')).toEqual([
    { given: 'a', reason: 'Twice; by mistake' },
    { given: 'b', reason: null },
    { given: 'c', reason: null },
  ])
})

test('without a heading all that stands behind the id is its reason', () => {
  expect(readGiven('p-1,Duplicate, customer called\np-2,,\np-3,x,,')).toEqual([
    { given: 'p-1', reason: 'Duplicate, customer called' },
    { given: 'p-2', reason: null },
    { given: 'p-3', reason: 'x' },
  ])
})

test.each([
  ['id;reason', 'Moved'],
  ['handle;Grund', 'Moved'],
])('the second of two columns is the reason: %s', (head, reason) => {
  expect(readGiven(`${head}\np-1;Moved`)).toEqual([{ given: 'p-1', reason }])
})

test('of a table the column of that name is the reason, and no other', () => {
  expect(readGiven('id,amount,Reason,state\np-1,100,Moved,Pending')).toEqual([{ given: 'p-1', reason: 'Moved' }])
  expect(readGiven('id,amount,state\np-1,100,Pending')).toEqual([{ given: 'p-1', reason: null }])
})

test('a comma in the first reason does not hide the separator, and lines may have one each', () => {
  expect(readGiven('p-1;Moved, INV-7\np-2;x\np-3\tgone; away\np-4,y')).toEqual([
    { given: 'p-1', reason: 'Moved, INV-7' },
    { given: 'p-2', reason: 'x' },
    { given: 'p-3', reason: 'gone; away' },
    { given: 'p-4', reason: 'y' },
  ])
})

test('a decimal comma does not separate', () => {
  expect(readGiven('INV-1; forkert beløb\nINV-2; beløb 1,50')).toEqual([
    { given: 'INV-1', reason: 'forkert beløb' },
    { given: 'INV-2', reason: 'beløb 1,50' },
  ])
})

test.each([
  ['p-1,Duplicate,customer called\np-2,Moved\np-3,x', [[1, 'more-cells']]],
  ['INV-1;100;Ole Hansen\nINV-2;200', [[1, 'more-cells']]],
  ['\tINV-1\nINV-2\tx', [[1, 'no-id']]],
  ['INV-1;x\n;y', [[2, 'no-id']]],
  ['id;reason\nINV-1;x\n;y', [[3, 'no-id']]],
  ['amount;reference;reason\n100;INV-7;Moved\n1;000;INV-8;Moved', [[3, 'more-cells']]],
  ['id,amount,reason\np-1,1,000,\np-2,100,', [[2, 'more-cells']]],
  ['id,amount,reason\nFaktura 12, rate 2,100,Moved', [[2, 'more-cells']]],
  ['amount,id,reason\n100,50,p-1,\n100,50,p-1', [2, 3].map((line) => [line, 'more-cells'])],
  ['amount,id,reason,\n100,50,p-1,', [[2, 'more-cells']]],
  ['amount,id,reason\n100,Faktura 1,x\n100,50,Faktura 2', [[3, 'more-cells']]],
  ['Beløb,Faktura,Årsag\n1.250,00,INV-1,', [[2, 'more-cells']]],
  ['Beløb,Faktura,Årsag,,\n1250,INV-1,Flyttet,,\n1250,INV-1,,,', []],
  ['Beløb;Faktura;Årsag\n1250;INV-1;INV-2', []],
])('a line that has more than the others, or no id, is refused: %s', (text, flaws) => {
  const { rows } = parseReferences(text)
  expect(rows.flatMap(({ line, flaw }) => (flaw === null ? [] : [[line, flaw]]))).toEqual(flaws)
})

test.each([
  [
    'INV-1\t100\tOle Hansen\nINV-2\t200',
    {
      leftOut: [
        [1, '100', 'Ole Hansen'],
        [2, '200'],
      ],
    },
  ],
  ['1001\t250', { leftOut: [[1, '250']] }],
  ['1001;250,00', { leftOut: [[1, '250,00']] }],
  ['INV-1;100; Ole Hansen', { leftOut: [[1, '100', 'Ole Hansen']] }],
  [
    'INV-1;kr. 1.000,-\nINV-2;100 DKK',
    {
      leftOut: [
        [1, 'kr. 1.000,-'],
        [2, '100 DKK'],
      ],
    },
  ],
  ['1001\t100\t1.12.2026', { leftOut: [[1, '100', '1.12.2026']] }],
])('an amount is no reason, nor a name beside it: %s', (text, rest) => {
  expect(readRest(text)).toEqual({ ...nothing, ...rest })
  expect(readGiven(text).map(({ reason }) => reason)).toEqual(rest.leftOut.map(() => null))
})

test.each([
  ['a\t\u200B', null],
  ['a;\u2800', null],
  ['"a"\t"x\ty"', 'x y'],
])('a reason has a visible character, and no tab: %j', (text, reason) => {
  expect(readGiven(text)).toEqual([{ given: 'a', reason }])
})

const own = [
  'Row,Given,Payment id,Reference,Payer,Outcome,Why,Reason given,Cancellation id',
  'Række;Angivet;Betalings-id;Reference;Betaler;Resultat;Hvorfor;Angivet årsag;Annullerings-id',
].map((head) => {
  const cells = ['1', 'INV-7', 'p-1', 'INV-7', 'Ole Hansen', 'x', 'y', 'Moved', 'c-1']
  return [`${head}\n${cells.join(head.includes(';') ? ';' : ',')}`, { given: 'p-1', reason: 'Moved' }] as const
})

test.each([
  ...own,
  ['Amount;Reference;Reason\n1001;INV-7;Moved', { given: 'INV-7', reason: 'Moved' }],
  ['Kunde;Faktura\n1001;INV-7', { given: 'INV-7', reason: null }],
  ['Beløb 2026;id\n1001;INV-7', { given: 'INV-7', reason: null }],
  ['Reference;Payment id\n1001;INV-7', { given: 'INV-7', reason: null }],
  ['Årsag;Id\nFlyttet;INV-7', { given: 'INV-7', reason: 'Flyttet' }],
] as const)('the ids are in the column of that name, wherever it is: %s', (text, row) => {
  expect(readGiven(text)).toEqual([row])
})

test.each([
  'Bilag;Beløb;Årsag\nINV-7;100;Flyttet',
  'Kunde;Beløb\n1001;250',
  'Total amount;Voucher date\n1001;INV-7',
  'Annulleringer november\nKunde\tFaktura\tBeløb\n1001\tINV-7\t250',
  'Betalinger\t\t\n\t\t\n1.12.2026\t\t\nId\tBeløb\tÅrsag\n1001\t250\tFlyttet',
  'Kundenavn\nOle',
  'Beløb 2026;Reference\n1001;INV-7',
  'Invoice;Reference\n1001;INV-7',
  'Payment id;Id\n1001;INV-7',
])('a first line that names columns, but not one with ids, is asked for: %s', (text) => {
  expect(parseReferences(text)).toEqual({ rows: [], unusedColumns: [], unpaidLines: [], isUnclear: true })
})

test.each([
  'Cancellation reason',
  'Reason for cancellation',
  'Reason given',
  'Annulleringsgrund',
  'Årsag til annullering',
  'Comments',
  'Kommentar',
  'Note',
  'Noter',
  'Bemærkning',
])('knows a reason by its heading: %s', (heading) => {
  expect(readGiven(`id;amount;${heading}\n1001;250;Moved`)).toEqual([{ given: '1001', reason: 'Moved' }])
  expect(readGiven(`id;${heading}\n1001;Moved`)).toEqual([{ given: '1001', reason: 'Moved' }])
})

test.each([
  'Credit note',
  'Grundbeløb',
  'Failure reason',
  'Fejlårsag',
  'Status reason',
  'Reason code',
  'Årsagskode',
  'Grundejer',
  'Grundydelse',
  'Baggrund',
  'Noteret',
  'Commented at',
])('knows what is no reason: %s', (heading) => {
  expect(readGiven(`id;${heading}\n1001;7`)).toEqual([{ given: '1001', reason: null }])
  expect(readRest(`id;${heading}\n1001;7`)).toEqual({ ...nothing, unusedColumns: [heading] })
})

test.each(['State Farm;Moved', 'Kunde A;Flyttet', 'Kunde A'])('a name has words that columns have: %s', (text) => {
  const [given, reason = null] = text.split(';')
  expect(readGiven(text)).toEqual([{ given, reason }])
})

test('rows of our own result that had no payment are left out, and said', () => {
  const [head = '', ...rows] = own[0]?.[0].split('\n') ?? []
  const text = [head, '1,INV-9,,,,,,,', ...rows, '3,,,,,,,,'].join('\n')
  expect(readGiven(text)).toEqual([{ given: 'p-1', reason: 'Moved' }])
  expect(parseReferences(text).unpaidLines).toEqual([2, 4])
  expect(parseReferences(`${head}\n1,INV-9,,,,,,,,`).rows).toMatchObject([{ flaw: 'more-cells' }])
})

test('of several reasons the one with the plain name counts', () => {
  expect(readGiven('id;Failure reason;Reason;Note\n1001;x;Moved;y')).toEqual([{ given: '1001', reason: 'Moved' }])
  expect(readRest('id;Comment;Note\n1001;x;y')).toEqual({ ...nothing, unusedColumns: ['Comment', 'Note'] })
})

test.each(['id;reason\n', 'sep=;\n', 'sep=;\nid;reason\n'])(
  'no other sign separates where one is named: %j',
  (head) => {
    expect(readGiven(`${head}Faktura 12, anden rate\nINV-7;Moved`)).toEqual([
      { given: 'Faktura 12, anden rate', reason: null },
      { given: 'INV-7', reason: 'Moved' },
    ])
  },
)

test.each([
  ['"Faktura 12, rate 2"', { given: 'Faktura 12, rate 2', reason: null }],
  ['"Faktura 12, rate 2";Moved', { given: 'Faktura 12, rate 2', reason: 'Moved' }],
  ['Faktura 12, rate 2;Moved', { given: 'Faktura 12, rate 2', reason: 'Moved' }],
  ['Faktura 12, rate 2\tMoved; twice', { given: 'Faktura 12, rate 2', reason: 'Moved; twice' }],
  ['p-1;x\nFaktura 12, rate 2;Moved', { given: 'Faktura 12, rate 2', reason: 'Moved' }],
])('a reference with a comma is not cut, as what is left may be another payment: %s', (text, row) => {
  expect(readGiven(text).at(-1)).toEqual(row)
})

test.each([
  'Reference',
  'Invoice number',
  'Invoice no.',
  'Faktura',
  'Fakturanr.',
  'Fakturanummer',
  'Betalings-id',
  'BetalingsID',
  'Betaling',
  'id or handle',
])('knows the heading %s, and sends no other column as a reason', (heading) => {
  expect(readGiven(`${heading};Amount;Due\nINV-7;100;1.12.2026`)).toEqual([{ given: 'INV-7', reason: null }])
  expect(readGiven(`${heading}\tBeløb\tBegrundelse\nINV-7\t100\tFlyttet`)).toEqual([
    { given: 'INV-7', reason: 'Flyttet' },
  ])
})

test.each([
  ['INV-7\t100\t1.12.2026', [{ given: 'INV-7', reason: null }]],
  ['INV-7,100,Pending', [{ given: 'INV-7', reason: null }]],
])('takes no column of a table for a reason that does not say so: %s', (text, rows) => {
  expect(readGiven(text)).toEqual(rows)
})

test.each([
  ['INV-1,INV-2', 'INV-2'],
  ['INV-1, INV-2', 'INV-2'],
  ['INV-1;INV-2;Moved', 'INV-2'],
  ['A;B;C', 'B'],
  ['A; B; C', 'B'],
  ['1001, 1002', '1002'],
  ['id\nINV-1;INV-2', 'INV-2'],
  ['INV-1\tMoved\nINV-2,INV-3,INV-4', 'INV-3'],
  ['INV-1;INV-2;INV-3\nINV-4', 'INV-2'],
  ['0a7c8dea-0000-4000-8000-000000000001,b0a7c8de-abcd-4000-8000-00000000000a', 'b0a7c8de-abcd-4000-8000-00000000000a'],
  ['1001;1002\n1003;x', '1002'],
  ['INV-1;;INV-2\nINV-3;x', 'INV-2'],
  ['INV-1,INV-2 INV-3', 'INV-2 INV-3'],
  ['INV-1;INV-2 og INV-3', 'INV-2 og INV-3'],
  ['INV-1\tCRN-2', 'CRN-2'],
  ['p-1,Moved, INV-7', 'INV-7'],
  ['anna;bo\nbo;x', 'bo'],
  ['Faktura 12;Faktura 13', 'Faktura 13'],
  ['b0a7c8de-abcd-4000-8000-00000000000a,INV-2', 'INV-2'],
  ['INV-1\t100\tb0a7c8de-abcd-4000-8000-00000000000a\nINV-2\t200', 'b0a7c8de-abcd-4000-8000-00000000000a'],
  ['1;INV-1;100', 'INV-1'],
  ['1001\t250\tINV-2001', 'INV-2001'],
  ['1.12.2026\tOle Hansen\tFaktura 12', 'Faktura 12'],
  ['250 kr.;100; Faktura 12', 'Faktura 12'],
])('what looks like the id before it may be another one: %s', (text, other) => {
  expect(parseReferences(text).rows.flatMap(({ otherId }) => otherId ?? [])).toEqual([other])
})

test.each([
  'p-1,Duplicate, customer called\np-2,,\np-3,x,,',
  'p-1;Moved, INV-7\np-2;x',
  'INV-7;Replaced by INV-8',
  'anna;Moved\nbo;Moved',
  'anna;Moved',
  'anna;Forkert beløb',
  'Invoice 12;Duplicate 2',
  '1001;2 gange betalt',
  'id;reason\nINV-1;INV-2',
  'id,reason\nINV-1\tINV-2',
  'id;Årsag\n1001;1002',
])('a reason, or what a heading says is one, is no other id: %s', (text) => {
  expect(readRest(text)).toEqual(nothing)
})

test.each([
  ['INV-7,100,Pending', { leftOut: [[1, '100', 'Pending']] }],
  [
    'INV-7\t100\t\n\nINV-8\t200\tx',
    {
      leftOut: [
        [1, '100'],
        [3, '200', 'x'],
      ],
    },
  ],
  ['id,amount,Reason,state\np-1,100,Moved,Pending', { unusedColumns: ['amount', 'state'] }],
  ['Invoice;Amount\nINV-7;100', { unusedColumns: ['Amount'] }],
  ['Invoice;;Reason\nINV-7;100;Moved', { leftOut: [[2, '100']] }],
  ['id,amount,reason\np-1,100,50', { unusedColumns: ['amount'], leftOut: [[2, '50']] }],
  ['id;amount;reason\nINV-7;100;50;Moved', { unusedColumns: ['amount'], leftOut: [[2, '100', '50', 'Moved']] }],
])('what is not used is said: %s', (text, rest) => {
  expect(readRest(text)).toEqual({ ...nothing, ...rest })
})

test('no column of another name is sent as a reason, nor one of a line whose cells have moved', () => {
  expect(readGiven('Invoice;Amount\nINV-7;100')).toEqual([{ given: 'INV-7', reason: null }])
  expect(readGiven('id;amount;reason\nINV-7;100;50;Moved')).toEqual([{ given: 'INV-7', reason: null }])
})

test('a row knows its line, after a heading and blank lines', () => {
  expect(parseReferences('id;reason\n\np-1;x\n\np-2;y').rows.map(({ line }) => line)).toEqual([3, 5])
})

test('the columns may be named with another separator than the list has', () => {
  expect(readGiven('id;reason\nINV-1\tINV-2\nINV-3\tx')).toEqual([
    { given: 'INV-1', reason: 'INV-2' },
    { given: 'INV-3', reason: 'x' },
  ])
  expect(readGiven('id;amount;date\n1001\t100\t1.12.2026')).toEqual([{ given: '1001', reason: null }])
})
