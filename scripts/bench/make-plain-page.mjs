import { makePayment } from './make-payment.mjs'

const style = `body{margin:0;font:14px sans-serif}
[data-scroller]{height:100vh;overflow-y:auto}
.dt-row{display:grid;grid-template-columns:2rem repeat(6,1fr);height:40px;align-items:center;content-visibility:auto;contain-intrinsic-height:40px}`

function writeRow(index) {
  const { id, scheduleDate, customer, reference, description, amount, currency, status } = makePayment(index)
  const cells = [scheduleDate, customer.name, reference, description, `${amount / 100} ${currency}`, status]
  const tick = '<span><input type="checkbox"></span>'
  return `<div role="row" class="dt-row" data-row-id="${id}" aria-rowindex="${index + 2}">${tick}${cells.map((cell) => `<span>${cell}</span>`).join('')}</div>`
}

/** The reference: the first `count` payments as HTML and nothing else, no script, marked as the desk marks its rows. */
export function makePlainPage(count) {
  const rows = Array.from({ length: count }, (_, index) => writeRow(index)).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Rows</title><style>${style}</style><div data-scroller>${rows}</div></html>`
}
