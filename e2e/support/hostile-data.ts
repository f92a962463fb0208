import type { Page } from '@playwright/test'
import type { Answer, FakeUpstream } from './fake-upstream'

const mark = 'window.__xss=1'

/** Known script injections, each of which sets `window.__xss` if it runs (XS-01, XS-09, XS-10). */
export const scriptPayloads: readonly string[] = [
  `<script>${mark}</script>`,
  `<ScRiPt>${mark}</sCrIpT>`,
  `</script><script>${mark}</script>`,
  `<script src=data:,${mark}></script>`,
  `<img src=x onerror=${mark}>`,
  `"><img src=x onerror="${mark}">`,
  `'><img src=x onerror='${mark}'>`,
  `<img src="x\` \`<script>${mark}</script>"\` \`>`,
  `<svg onload=${mark}>`,
  `<svg><script>${mark}</script></svg>`,
  `<svg><animate onbegin=${mark} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${mark}"><text>x</text></a></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${mark}></style></mglyph></table></mtext></math>`,
  `<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>`,
  `<iframe src="javascript:parent.__xss=1"></iframe>`,
  `<object data="javascript:${mark}"></object>`,
  `<embed src="javascript:${mark}">`,
  `<body onload=${mark}>`,
  `<input autofocus onfocus=${mark}>`,
  `<select autofocus onfocus=${mark}></select>`,
  `<textarea autofocus onfocus=${mark}></textarea>`,
  `<details open ontoggle=${mark}>`,
  `<video><source onerror=${mark}></video>`,
  `<audio src=x onerror=${mark}>`,
  `<marquee onstart=${mark}>x</marquee>`,
  `<a href="javascript:${mark}">x</a>`,
  `<a href="jav&#x09;ascript:${mark}">x</a>`,
  `<form action="javascript:${mark}"><button>x</button></form>`,
  `<button formaction="javascript:${mark}">x</button>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${mark}">`,
  `<link rel=stylesheet href="javascript:${mark}">`,
  `<style>@import 'javascript:${mark}';</style>`,
  `<div style="background:url(javascript:${mark})">`,
  `<noscript><p title="</noscript><img src=x onerror=${mark}>">`,
  `<template><script>${mark}</script></template>`,
  `<x onclick=${mark} tabindex=1 id=x>#x`,
  `<!--><img src=x onerror=${mark}>-->`,
  `<![CDATA[<img src=x onerror=${mark}>]]>`,
  `\\u003cscript\\u003e${mark}\\u003c/script\\u003e`,
  `%3Cscript%3E${mark}%3C/script%3E`,
  `&lt;script&gt;${mark}&lt;/script&gt;`,
  `&#60;script&#62;${mark}&#60;/script&#62;`,
  `＜script＞${mark}＜/script＞`,
  `javascript:${mark}`,
  `JaVaScRiPt:${mark}`,
  `java\tscript:${mark}`,
  `java\nscript:${mark}`,
  ` \u0001javascript:${mark}`,
  `data:text/html,<script>parent.__xss=1</script>`,
  `data:text/html;base64,PHNjcmlwdD5wYXJlbnQuX194c3M9MTwvc2NyaXB0Pg==`,
  `vbscript:${mark}`,
  `//evil.example/x`,
  `https:evil.example`,
  `{{constructor.constructor('${mark}')()}}`,
  `\${${mark}}`,
  `#{${mark}}`,
  `');${mark};//`,
  `";${mark};//`,
  `\`;${mark};//`,
  `\u2028${mark}//`,
  `]]>${mark}//`,
  `{"__proto__":{"polluted":1}}`,
  `<a id=attributes name=cookie href="javascript:${mark}">x</a>`,
  `<form id=content name=body><input name=attributes></form>`,
]

/** Bidirectional and invisible characters that affect adjacent text (XS-13). */
export const bidiPayload = 'Ann \u202Egpj.exe\u202C \u2066left\u2069 \u200Bhidden\u00AD\uFEFF Smith'

/** The harm that hostile data has done to a page, each in a word. */
export function findHarm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const harm: string[] = []
    if ('__xss' in window) harm.push('a script ran')
    if ('polluted' in {}) harm.push('the prototype of all objects was changed')
    for (const link of document.querySelectorAll('a[href], area[href]')) {
      const address = link.getAttribute('href') ?? ''
      if (!/^(?:\/(?!\/)|#|https?:\/\/)/u.test(address)) harm.push(`a link leads to ${address}`)
    }
    const foreign =
      'img[src="x"], iframe, object, embed, base, marquee, svg script, [onerror], [onload], [onfocus], [onclick]'
    for (const element of document.querySelectorAll(foreign))
      harm.push(`an element was made: ${element.outerHTML.slice(0, 90)}`)
    for (const name of ['attributes', 'cookie', 'body', '__proto__'])
      if (document.querySelector(`[id="${name}"], [name="${name}"]`)) harm.push(`an element is called ${name}`)
    return harm
  })
}

const uuid = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`

/** The id of every single record. */
export const recordId = uuid(1)

const plain = { id: recordId, createdAt: '2026-11-01T10:00:00Z', modifiedAt: '2026-11-02T10:00:00Z' }

/** Free-form data with a text as keys and values, and with keys that a careless merge would assign to a prototype. */
function nest(text: string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify({
      [text]: text,
      list: [text, { [text]: [text] }],
      pair: [{ key: text, value: text }],
      replaced: 0,
    }).replace('"replaced":0', '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}'),
  )
}

function makeCustomer(text: string, id: string) {
  const mandates = [{ handle: text, scheme: text, state: text }]
  const address = { addressLine1: text, addressLine2: text, city: text, country: text, postalCode: text }
  return { ...plain, id, name: text, handle: text, number: text, mandates, ...address, [text]: text }
}

function makeMandate(text: string, id: string) {
  const customer = { id: recordId, handle: text, name: text, number: text }
  return {
    ...plain,
    id,
    handle: text,
    scheme: text,
    status: text,
    schemeData: [text, nest(text)],
    customer,
    [text]: text,
  }
}

function makePayment(text: string, id: string, status: string) {
  const said = { handle: text, description: text, reference: text, currency: text, status, [text]: text }
  const moments = { paymentDate: '2026-12-01T00:00:00Z', scheduleDate: '2026-12-01T00:00:00Z' }
  const parts = { customer: { id: recordId, name: text }, mandate: { id: recordId, handle: text, scheme: text } }
  return { ...plain, ...said, ...moments, ...parts, id, amount: 12_345, test: false }
}

const listOf = (results: unknown[]): Answer => ({ body: { results, hasMore: false, nextOffset: null } })

/**
 * Makes a fake service return lists with a record for each of `texts`, which is in every field. Single records have the
 * first text, and so do the refusals of writes.
 */
export function serveTexts({ answer, answerElse }: FakeUpstream, texts: readonly string[]): void {
  const [first = ''] = texts
  const each = (make: (text: string, id: string) => unknown) =>
    listOf(texts.map((text, at) => make(text, uuid(at + 1))))
  answer(() => each((text, id) => makePayment(text, id, id === recordId ? 'Pending' : text)))
  const single: Record<string, unknown> = {
    '/Merchants': { ...plain, name: first, handle: first, isvHandle: first, metaData: nest(first), [first]: first },
    '/Merchants/webhooks': texts.map((text) => ({ webhookUrl: text, secret: text, [text]: text })),
    [`/Customers/${recordId}`]: makeCustomer(first, recordId),
    [`/Customers/mandates/${recordId}`]: makeMandate(first, recordId),
    [`/Merchants/agreements/${recordId}`]: {
      ...plain,
      handle: first,
      scheme: first,
      status: first,
      schemeData: nest(first),
      dataSourceHandle: first,
      test: false,
      [first]: first,
    },
  }
  answerElse((method, path) => {
    const problem = {
      type: first,
      title: first,
      detail: first,
      instance: first,
      errors: { Name: [first], [first]: [first] },
    }
    if (method !== 'GET') return { status: 400, body: { ...problem, status: 400 } }
    if (path === '/Customers') return each(makeCustomer)
    if (path === '/Customers/mandates') return each(makeMandate)
    if (path === '/') return { body: first }
    if (path in single) return { body: single[path] }
    return { status: 403, body: { ...problem, status: 403 } }
  })
}

/** Makes a fake service omit all values but ids, or return null or nonsense for them. */
export function serveMissingValues({ answer, answerElse }: FakeUpstream): void {
  const shapes = [{}, { name: null, handle: null, status: null, amount: null, customer: null, mandate: null }]
  const odd = {
    name: 5,
    handle: {},
    status: 7,
    amount: 'x',
    currency: [],
    customer: 'x',
    mandate: [],
    createdAt: 'never',
  }
  const zero = {
    createdAt: '0001-01-01T00:00:00',
    modifiedAt: '',
    paymentDate: '9999-12-31',
    scheduleDate: 0,
    mandates: {},
  }
  const rows = [...shapes, odd, zero].map((shape, at) => ({ ...shape, id: uuid(at + 1) }))
  answer(() => listOf(rows))
  answerElse((method, path) => {
    if (method !== 'GET') return { status: 400 }
    if (path === '/Customers' || path === '/Customers/mandates') return listOf(rows)
    return { body: path === '/Merchants/webhooks' ? [null, {}, { url: null }] : { ...odd, ...zero, id: recordId } }
  })
}
