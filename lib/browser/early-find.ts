/**
 * A script of the page itself that hears Ctrl or ⌘ K, and a press of `[data-find]`, before the desk's own script runs
 * and can answer: `repeatEarlyFind` asks again.
 */
export const hearEarlyFind = `for(const type of["keydown","click"])addEventListener(type,function hear(event){
const{dataset}=document.documentElement
if(dataset.findState==="ready")return removeEventListener(type,hear)
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
if(type==="click"?!event.target.closest("[data-find]"):!isKeys)return
event.preventDefault()
dataset.findState="asked"})`

/** Asks for "Find" again by its keys if somebody asked for it before its script ran; from now on that script answers. */
export function repeatEarlyFind(): void {
  const { dataset } = document.documentElement
  const wasAsked = dataset.findState === 'asked'
  dataset.findState = 'ready'
  if (wasAsked) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
}
