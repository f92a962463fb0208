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
