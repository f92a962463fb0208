declare global {
  /** What was asked of a page before the desk's own script ran, of which only the page's inline script knows. */
  var debitdeskEarly: EarlyAsk | undefined
}

type EarlyAsk = {
  /** What was pressed last: it is pressed again. */
  pressed?: Element | undefined
  /** What was typed or chosen in the filters of a list, by the id of the control. */
  values: Record<string, string>
  /** The rows that were ticked, by key; '' is the box for all of them. */
  ticks: Record<string, boolean>
}

/** Buttons that open a dialog or sort a list. One that acts at once is not pressed again: whoever pressed it may have given it up. */
const buttons = '[aria-haspopup=dialog],[data-head] button'

/**
 * A script of the page itself that hears what is asked of it before the desk's own script runs and can answer: Ctrl or ⌘ K, the press of
 * a button that opens a dialog, and in a list its headers, rows, ticks and filters. `repeatEarlyAsk`, `takeEarlyValue` and
 * `takeEarlyTicks` give it to who answers. Another button or Escape takes a press back; links and popovers need no script.
 */
export const hearEarlyAsk = `{const early=globalThis.debitdeskEarly={values:{},ticks:{}}
for(const type of["keydown","click","input"])addEventListener(type,function hear(event){
const{target}=event,{dataset}=document.documentElement
if(type==="input"){if(dataset.findState==="ready"){delete early.values[target.id]
return}
const row=target.closest("[data-row-id]")
if(target.type==="checkbox"&&target.closest("[role=grid]"))early.ticks[row?row.dataset.rowId:""]=target.checked
else if(target.closest("search"))early.values[target.id]=target.value
return}
if(dataset.findState==="ready"){early.pressed=undefined
return removeEventListener(type,hear)}
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
const isPlain=type==="click"&&!event.ctrlKey&&!event.metaKey&&!event.shiftKey
const button=type==="click"&&target.closest("button")
const row=isPlain&&!target.closest("a,button,input,.dt-select")&&target.closest("[data-opens] [data-row-id]")
if(!button&&!row&&!isKeys&&event.key!=="Escape")return
early.pressed=row||(button&&button.matches("${buttons}")?button:undefined)
if(isKeys){event.preventDefault()
dataset.findState="asked"}else delete dataset.findState})}`

/**
 * Asks again for what was asked for last before the desk's script ran: "Find" by its keys, or what was pressed and is still
 * there. From now on that script answers.
 */
export function repeatEarlyAsk(): void {
  const { dataset } = document.documentElement
  const wasAsked = dataset.findState === 'asked'
  dataset.findState = 'ready'
  if (wasAsked) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
  // Once React has taken the whole page over; until then, what React answers by itself takes it back.
  setTimeout(() => {
    const pressed = globalThis.debitdeskEarly?.pressed
    if (pressed instanceof HTMLElement && pressed.isConnected) pressed.click()
  })
}

/** What was typed or chosen in the control with this id before the desk's script ran, once; undefined where nothing was. */
export function takeEarlyValue(id: string): string | undefined {
  const values = globalThis.debitdeskEarly?.values
  const value = values?.[id]
  delete values?.[id]
  return value
}

/** The rows that were ticked before the desk's script ran, once: their keys, or all of them. */
export function takeEarlyTicks(): { keys: readonly string[]; isAll: boolean } {
  const early = globalThis.debitdeskEarly
  const ticked = Object.entries(early?.ticks ?? {}).flatMap(([key, isTicked]) => (isTicked ? [key] : []))
  if (early) early.ticks = {}
  return { keys: ticked.filter((key) => key !== ''), isAll: ticked.includes('') }
}
