/**
 * A script of the page itself that hears Ctrl or ⌘ K, and a press of `[data-find]`, before the desk's own script runs
 * and can answer: `repeatEarlyFind` presses it again.
 */
export const hearEarlyFind = `for(const type of["keydown","click"])addEventListener(type,function hear(event){
const{dataset}=document.documentElement
if(dataset.find==="ready")return removeEventListener(type,hear)
const isKeys=(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey&&String(event.key).toLowerCase()==="k"
if(type==="click"?!event.target.closest("[data-find]"):!isKeys)return
event.preventDefault()
dataset.find="asked"})`

/** Presses the keys of "Find" again if somebody asked for it before its script ran; from now on that script answers. */
export function repeatEarlyFind(): void {
  const { dataset } = document.documentElement
  const wasAsked = dataset.find === 'asked'
  dataset.find = 'ready'
  if (wasAsked) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
}
