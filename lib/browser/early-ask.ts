declare global {
  /** What was asked of a page before the desk's own script ran, of which only the page's inline script knows. */
  var debitdeskEarly: EarlyAsk | undefined
}

type EarlyAsk = {
  /** What was pressed last: it is pressed again. */
  pressed?: HTMLElement | undefined
  /** When that was, as `Date.now()` counts: `performance.now()` may stand still while the computer sleeps. */
  at?: number
  /** What was typed or chosen in the filters of a list, by the id of the control. */
  values: Map<string, string>
  /** The keys of the rows that somebody ticked; not those whose boxes the browser filled in again. */
  ticks: Set<string>
}

/** Those of popovers need no script, and what was copied late would take the place of what was copied since. */
const buttons = '[type=button]:not([popovertarget],[data-copy])'

/** Milliseconds: whoever has waited longer may have given it up. */
const patience = 10_000

/**
 * A script of the page itself that hears what is asked of it before the desk's own script runs and can answer: Ctrl or ⌘ K, the press of
 * a button that sends no form, the choice of a theme, and in a list its rows, ticks and filters. `repeatEarlyAsk`, `takeEarlyValue` and
 * `takeEarlyTicks` give it to who answers. Whatever else is pressed, and Escape, takes a press back; links and popovers need no script.
 * It hears events on their way down, for React lets none pass up that it cannot answer yet, and forgets on their way up what was answered.
 */
export const hearEarlyAsk = `{const early=globalThis.debitdeskEarly={values:new Map,ticks:new Set}
const isReady=()=>document.documentElement.dataset.findState==="ready"
const boxes="[data-row-id] [type=checkbox]"
const keyOf=box=>box.closest("[data-row-id]").dataset.rowId
const tick=box=>keyOf(box)&&early.ticks[box.checked?"add":"delete"](keyOf(box))
const press=element=>{early.pressed=element
early.at=Date.now()}
const hear={input({target}){
if(target.closest("search"))early.values.set(target.id,target.value)
if(target.closest(".theme-choice")){const{dataset,style}=document.documentElement
dataset.theme=style.colorScheme=target.value==="system"?matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light":target.value
try{localStorage.setItem("theme",target.value)}catch{}}
if(target.matches(boxes))tick(target)
if(target.matches("[data-head] [type=checkbox]"))for(const box of target.closest("[role=grid]").querySelectorAll(boxes)){
box.checked=target.checked
tick(box)}},
click(event){const{target}=event
const cell=target.closest("[data-row-id] .dt-select")
if(cell&&!target.matches(boxes)){event.stopPropagation()
return cell.querySelector(boxes).click()}
const button=target.closest("button")
const isPlain=!event.ctrlKey&&!event.metaKey&&!event.altKey&&!event.shiftKey&&(event.detail===0||getSelection().isCollapsed)
const row=isPlain&&!target.closest("a,button,input,.dt-select")&&target.closest("[data-opens] [data-row-id]")
press(row||(button?.matches("${buttons}")?button:undefined))},
keydown(event){
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
if(isKeys)event.preventDefault()
if(isKeys||event.key==="Escape")press(isKeys?document.querySelector("[data-find]"):undefined)}}
for(const type in hear){addEventListener(type,event=>{if(!isReady())hear[type](event)},true)
addEventListener(type,({target})=>{if(!isReady())return
if(type!=="input")return early.pressed=undefined
early.values.delete(target.id)
if(target.matches(boxes))early.ticks.delete(keyOf(target))})}}`

/** Presses again what was pressed last before the desk's script ran, if it is still there. From now on that script answers. */
export function repeatEarlyAsk(): void {
  document.documentElement.dataset.findState = 'ready'
  // In a task of its own: what React answers by itself until then takes it back.
  setTimeout(() => {
    const { pressed, at = 0 } = globalThis.debitdeskEarly ?? {}
    if (pressed?.isConnected && Date.now() - at < patience) pressed.click()
  })
}

/** What was typed or chosen in the control with this id before the desk's script ran, once; undefined where nothing was. */
export function takeEarlyValue(id: string): string | undefined {
  const values = globalThis.debitdeskEarly?.values
  const value = values?.get(id)
  values?.delete(id)
  return value
}

/** The keys of the rows that were ticked before the desk's script ran, once. */
export function takeEarlyTicks(): readonly string[] {
  const ticks = globalThis.debitdeskEarly?.ticks
  const keys = [...(ticks ?? [])]
  ticks?.clear()
  return keys
}
