import { expect, test } from 'vitest'
import { parseReferences } from './payment-references'

test.each([
  ['line ends of either kind, blank lines and a mark', '\uFEFFone\r\n\r\n  two  \n\n\nthree', ['one', 'two', 'three']],
  ['duplicates, which are told and not hidden', 'one\none\n', ['one', 'one']],
  ['a heading', 'Payment ID;Reason\none;x', ['one']],
  ['nothing', ' \r\n \n', []],
])('reads %s (BK-05)', (_, text, given) => {
  expect(parseReferences(text).map((row) => row.given)).toEqual(given)
})

test('reads a reason beside an id, quoted or not', () => {
  expect(parseReferences('a;"Twice; by mistake"\nb;\nc')).toEqual([
    { given: 'a', reason: 'Twice; by mistake' },
    { given: 'b', reason: null },
    { given: 'c', reason: null },
  ])
})

test('without a heading all that stands behind the id is its reason', () => {
  expect(parseReferences('p-1,Duplicate, customer called\np-2,,\np-3,x,,')).toEqual([
    { given: 'p-1', reason: 'Duplicate, customer called' },
    { given: 'p-2', reason: null },
    { given: 'p-3', reason: 'x' },
  ])
})

test.each([
  ['id;reason', 'Moved'],
  ['handle;Grund', 'Moved'],
])('the second of two columns is the reason: %s', (head, reason) => {
  expect(parseReferences(`${head}\np-1;Moved`)).toEqual([{ given: 'p-1', reason }])
})

test('of a table the column of that name is the reason, and no other', () => {
  expect(parseReferences('id,amount,Reason,state\np-1,100,Moved,Pending')).toEqual([{ given: 'p-1', reason: 'Moved' }])
  expect(parseReferences('id,amount,state\np-1,100,Pending')).toEqual([{ given: 'p-1', reason: null }])
})

test('a comma in the first reason does not hide the separator, and lines may have one each', () => {
  expect(parseReferences('p-1;Moved, INV-7\np-2;x\np-3\tgone; away\np-4,y')).toEqual([
    { given: 'p-1', reason: 'Moved, INV-7' },
    { given: 'p-2', reason: 'x' },
    { given: 'p-3', reason: 'gone; away' },
    { given: 'p-4', reason: 'y' },
  ])
})

test('a decimal comma does not separate, unless nothing else does', () => {
  expect(parseReferences('INV-1; forkert beløb\nINV-2; beløb 1,50')).toEqual([
    { given: 'INV-1', reason: 'forkert beløb' },
    { given: 'INV-2', reason: 'beløb 1,50' },
  ])
  expect(parseReferences('1001,2\n1002,3')).toEqual([
    { given: '1001', reason: '2' },
    { given: '1002', reason: '3' },
  ])
})

test('a sign in the first reason makes no table of the others', () => {
  expect(parseReferences('p-1,Duplicate,customer called\np-2,Moved\np-3,x')).toEqual([
    { given: 'p-1', reason: 'Duplicate,customer called' },
    { given: 'p-2', reason: 'Moved' },
    { given: 'p-3', reason: 'x' },
  ])
})

test.each([
  ['"Faktura 12, rate 2"', { given: 'Faktura 12, rate 2', reason: null }],
  ['"Faktura 12, rate 2";Moved', { given: 'Faktura 12, rate 2', reason: 'Moved' }],
  ['Faktura 12, rate 2;Moved', { given: 'Faktura 12, rate 2', reason: 'Moved' }],
  ['Faktura 12, rate 2\tMoved; twice', { given: 'Faktura 12, rate 2', reason: 'Moved; twice' }],
  ['p-1;x\nFaktura 12, rate 2;Moved', { given: 'Faktura 12, rate 2', reason: 'Moved' }],
])('a reference with a comma is not cut, as what is left may be another payment: %s', (text, row) => {
  expect(parseReferences(text).at(-1)).toEqual(row)
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
  expect(parseReferences(`${heading};Amount;Due\nINV-7;100;1.12.2026`)).toEqual([{ given: 'INV-7', reason: null }])
  expect(parseReferences(`${heading}\tBeløb\tBegrundelse\nINV-7\t100\tFlyttet`)).toEqual([
    { given: 'INV-7', reason: 'Flyttet' },
  ])
})

test.each([
  ['Bilag;Beløb;Årsag\nINV-7;100;Flyttet', [{ given: 'INV-7', reason: 'Flyttet' }]],
  [
    'Bilag;Beløb;Dato\nINV-7;100;1.12.2026',
    [
      { given: 'Bilag', reason: null },
      { given: 'INV-7', reason: null },
    ],
  ],
  ['INV-7\t100\t1.12.2026', [{ given: 'INV-7', reason: null }]],
  ['INV-7,100,Pending', [{ given: 'INV-7', reason: null }]],
])('takes no column of a table for a reason that does not say so: %s', (text, rows) => {
  expect(parseReferences(text)).toEqual(rows)
})
