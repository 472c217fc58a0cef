/** The card that the focus is to go to, until it has. */
export interface Want {
  current: number | undefined
  /** It is brought into sight, and the focus stays where it is. */
  isQuiet?: boolean
}

/** The card has been brought into sight. */
export function arrive(want: Want, title: HTMLElement) {
  const { isQuiet } = want
  want.current = undefined
  want.isQuiet = false
  if (!isQuiet) title.focus({ preventScroll: true })
}
