/** The card that should get the focus as soon as it is drawn. */
export interface FocusTarget {
  current: number | undefined
  /** Scrolls to the card without focusing it. */
  isQuiet?: boolean
}

/** Called when the card is drawn: focuses it and clears the target. */
export function finishFocus(focusTarget: FocusTarget, title: HTMLElement) {
  const { isQuiet } = focusTarget
  focusTarget.current = undefined
  focusTarget.isQuiet = false
  // Somebody may have begun to type a new task since the card was moved.
  const isTyping = document.activeElement?.matches('.quick-add input')
  if (!isQuiet && !isTyping) title.focus({ preventScroll: true })
}
