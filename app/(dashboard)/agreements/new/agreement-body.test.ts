import { describe, expect, it } from 'vitest'
import { checkEditor, parseAgreementBody, type AgreementFormValues } from './agreement-body'

const blank: AgreementFormValues = {
  choice: '',
  scheme: '',
  schemeData: { cvrNumber: '', pbsNumber: '', creditorNumber: '', agreementType: '' },
  editor: 'pairs',
  pairs: [],
  json: '',
  test: true,
  dataSourceHandle: '',
}

describe('the body of a new agreement', () => {
  it('holds the known scheme’s fields that were filled in, and not those that were not', () => {
    const typed = { ...blank, choice: 'nets-bs', schemeData: { ...blank.schemeData, cvrNumber: ' 12345678 ' } }
    expect(parseAgreementBody(typed)).toEqual({ scheme: 'nets-bs', schemeData: { cvrNumber: '12345678' }, test: true })
  })

  it.each(['12 34 56 78', 'DK12345678', 'dk 12 34 56 78', 'DK-12345678', '\u00A012345678\t'])(
    'holds the CVR number %j as its digits',
    (cvrNumber) => {
      const typed = { ...blank, choice: 'nets-bs', schemeData: { ...blank.schemeData, cvrNumber } }
      expect(parseAgreementBody(typed)).toMatchObject({ schemeData: { cvrNumber: '12345678' } })
    },
  )

  it('holds other numbers without what can’t belong to them, and nothing guessed', () => {
    const numbers = { cvrNumber: 'SE12345678', pbsNumber: '01 23 45 67', creditorNumber: ' DK 12 ' }
    const typed = { ...blank, choice: 'nets-bs', schemeData: { ...blank.schemeData, ...numbers } }
    expect(parseAgreementBody(typed)).toMatchObject({
      schemeData: { cvrNumber: 'SE12345678', pbsNumber: '01234567', creditorNumber: 'DK 12' },
    })
  })

  it('holds another scheme’s data as it was typed, as pairs or as JSON', () => {
    const other = { ...blank, choice: 'other', scheme: 'sepa-core', dataSourceHandle: 'erp', test: false }
    expect(
      parseAgreementBody({
        ...other,
        pairs: [
          { key: 'creditorId', value: ' DE1 ' },
          { key: '', value: 'x' },
        ],
      }),
    ).toEqual({
      scheme: 'sepa-core',
      schemeData: { creditorId: ' DE1 ' },
      test: false,
      dataSourceHandle: 'erp',
    })
    expect(parseAgreementBody({ ...other, editor: 'json', json: '{"a":{"b":[1]}}' })).toMatchObject({
      schemeData: { a: { b: [1] } },
    })
  })

  it('leaves JSON that is none for the check to refuse', () => {
    expect(parseAgreementBody({ ...blank, choice: 'other', editor: 'json', json: '{a' })).toMatchObject({
      schemeData: '{a',
    })
  })
})

it('a key that is typed twice is named, for only one of its values could be sent', () => {
  const pairs = [
    { key: 'creditorId', value: 'FIRST' },
    { key: ' creditorId ', value: 'SECOND' },
  ]
  const typed: AgreementFormValues = { ...blank, choice: 'other', scheme: 'sepa-core', pairs }
  expect(checkEditor(typed)).toEqual({ schemeData: 'contains the key creditorId twice' })
  expect(checkEditor({ ...typed, editor: 'json' })).toEqual({})
  expect(checkEditor({ ...typed, pairs: pairs.slice(1) })).toEqual({})
})

it('a key that stands twice in JSON is named too, at any depth', () => {
  const typed: AgreementFormValues = { ...blank, choice: 'other', editor: 'json', json: '{"a":[{"b":1,"c":2,"b":1}]}' }
  expect(checkEditor(typed)).toEqual({ schemeData: 'contains the key b twice' })
  expect(checkEditor({ ...typed, json: '{"a":"' })).toEqual({})
})

it('a number in JSON that would be rounded is named, for another one would be sent', () => {
  const typed: AgreementFormValues = { ...blank, choice: 'other', editor: 'json', json: '{"a":9007199254740993}' }
  expect(checkEditor(typed)).toEqual({
    schemeData: 'contains 9007199254740993, which can’t be kept exactly: put it in quotes',
  })
  expect(checkEditor({ ...typed, json: '{"a":"9007199254740993"}' })).toEqual({})
  expect(checkEditor({ ...typed, choice: 'nets-bs' })).toEqual({})
})
