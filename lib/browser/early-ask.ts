declare global {
  /** The button that was pressed last before the desk's own script ran. */
  var debitdeskPressed: HTMLElement | undefined
}

/**
 * A script of the page itself that hears Ctrl or ⌘ K, and the press of a button, before the desk's own script runs and
 * can answer: `repeatEarlyAsk` asks again.
 */
export const hearEarlyAsk = `for(const type of["keydown","click"])addEventListener(type,function hear(event){
const{dataset}=document.documentElement
if(dataset.findState==="ready")return removeEventListener(type,hear)
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
const button=type==="click"&&event.target.closest("button[type=button]")
if(!button&&!isKeys)return
event.preventDefault()
globalThis.debitdeskPressed=button||undefined
if(button)delete dataset.findState
else dataset.findState="asked"})`

/**
 * Asks again for what was asked for last before the desk's script ran: "Find" by its keys, or what a button does that is
 * still there. From now on that script answers.
 */
export function repeatEarlyAsk(): void {
  const { dataset } = document.documentElement
  const wasAsked = dataset.findState === 'asked'
  const pressed = globalThis.debitdeskPressed
  dataset.findState = 'ready'
  globalThis.debitdeskPressed = undefined
  if (wasAsked) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
  // Once React has taken the whole page over.
  if (pressed) setTimeout(() => pressed.isConnected && pressed.click())
}
