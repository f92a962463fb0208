declare global {
  /** What was asked of a page before the desk's own script ran, of which only the page's inline script knows. */
  var debitdeskEarly: EarlyAsk | undefined
}

type EarlyAsk = {
  /** What was pressed last: it is pressed again. */
  pressed?: HTMLElement | undefined
  /** What was typed or chosen in the filters of a list, by the id of the control. */
  values: Map<string, string>
}

/** Buttons that open a dialog or sort a list. One that acts at once is not pressed again: whoever pressed it may have given it up. */
const buttons = '[aria-haspopup=dialog],[data-head] button'

/**
 * A script of the page itself that hears what is asked of it before the desk's own script runs and can answer: Ctrl or ⌘ K, the press of
 * a button that opens a dialog, and in a list its headers, rows and filters: `repeatEarlyAsk` and `takeEarlyValue` give it to who
 * answers. Another button or Escape takes a press back; links and popovers need no script, ticks of rows stand where they are
 * made, and the tick for all rows is made in each.
 */
export const hearEarlyAsk = `{const early=globalThis.debitdeskEarly={values:new Map}
const isReady=()=>document.documentElement.dataset.findState==="ready"
addEventListener("input",({target})=>{
if(isReady())return early.values.delete(target.id)
if(target.closest("search"))early.values.set(target.id,target.value)
if(target.closest("[data-head]"))for(const box of target.closest("[role=grid]").querySelectorAll("[data-row-id] [type=checkbox]"))box.checked=target.checked})
for(const type of["keydown","click"])addEventListener(type,function hear(event){
const{target}=event
if(isReady()){early.pressed=undefined
return removeEventListener(type,hear)}
const isPlain=!event.ctrlKey&&!event.metaKey&&!event.altKey&&!event.shiftKey
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
const button=type==="click"&&target.closest("button")
const row=type==="click"&&isPlain&&!target.closest("a,button,input,.dt-select")&&target.closest("[data-opens] [data-row-id]")
if(!button&&!row&&!isKeys&&event.key!=="Escape")return
early.pressed=isKeys?document.querySelector("[data-find]"):row||(button&&button.matches("${buttons}")?button:undefined)
if(isKeys)event.preventDefault()})}`

/** Presses again what was pressed last before the desk's script ran, if it is still there. From now on that script answers. */
export function repeatEarlyAsk(): void {
  document.documentElement.dataset.findState = 'ready'
  // Once React has taken the whole page over; until then, what React answers by itself takes it back.
  setTimeout(() => {
    const pressed = globalThis.debitdeskEarly?.pressed
    if (pressed?.isConnected) pressed.click()
  })
}

/** What was typed or chosen in the control with this id before the desk's script ran, once; undefined where nothing was. */
export function takeEarlyValue(id: string): string | undefined {
  const values = globalThis.debitdeskEarly?.values
  const value = values?.get(id)
  values?.delete(id)
  return value
}
