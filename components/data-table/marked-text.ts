/** Whether a press of the mouse ended in marking text of `element`: it wants the text, and nothing else. */
export function isMarking({ detail }: { detail: number }, element: Element): boolean {
  const selection = getSelection()
  return detail > 0 && selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}
