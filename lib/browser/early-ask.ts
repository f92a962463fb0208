declare global {
  /** The button that was pressed last before the desk's own script ran. */
  var debitdeskPressed: Element | undefined
}

/**
 * A script of the page itself that hears Ctrl or ⌘ K, and the press of a button that opens a dialog, before the desk's own
 * script runs and can answer: `repeatEarlyAsk` asks again. Another button takes it back, and so does Escape.
 * Buttons that act at once are not repeated, for whoever pressed one may have given it up; those of a popover need no script.
 */
export const hearEarlyAsk = `for(const type of["keydown","click"])addEventListener(type,function hear(event){
const{dataset}=document.documentElement
if(dataset.findState==="ready"){globalThis.debitdeskPressed=undefined
return removeEventListener(type,hear)}
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
const button=type==="click"&&event.target.closest("button")
if(!button&&!isKeys&&event.key!=="Escape")return
globalThis.debitdeskPressed=button&&button.ariaHasPopup==="dialog"?button:undefined
if(isKeys){event.preventDefault()
dataset.findState="asked"}else delete dataset.findState})`

/**
 * Asks again for what was asked for last before the desk's script ran: "Find" by its keys, or the dialog of a button that is
 * still there. From now on that script answers.
 */
export function repeatEarlyAsk(): void {
  const { dataset } = document.documentElement
  const wasAsked = dataset.findState === 'asked'
  dataset.findState = 'ready'
  if (wasAsked) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
  // Once React has taken the whole page over; until then, what React answers by itself takes it back.
  setTimeout(() => {
    const pressed = globalThis.debitdeskPressed
    globalThis.debitdeskPressed = undefined
    if (pressed instanceof HTMLElement && pressed.isConnected) pressed.click()
  })
}
