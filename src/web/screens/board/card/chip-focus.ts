/** Moves the focus among the chips of a card. They are no tab stops, so that a board has few. */

const chipsOf = (card: Element) => [...card.querySelectorAll<HTMLElement>('[data-chip]')]

/** Focuses the first chip of a card; returns false if it has none. */
export function focusFirstChip(task_id: number): boolean {
  const card = document.querySelector(`[data-task="${task_id}"]`)
  const [chip] = card ? chipsOf(card) : []
  chip?.focus()
  return chip !== undefined
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Handles the arrow keys on a chip. Escape and F2 return to the title of the card. */
export function onChipKey(event: KeyboardEvent) {
  const { target } = event
  const chip = target instanceof Element ? target.closest<HTMLElement>('[data-chip]') : null
  const card = chip?.closest('[data-task]')
  if (!card || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const title = card.querySelector<HTMLElement>('.title')
  const chips = chipsOf(card)
  const step = STEPS[event.key]
  const at = chips.indexOf(chip!) + (step ?? 0)
  const isLeaving = event.key === 'Escape' || event.key === 'F2'
  const next = isLeaving ? title : step && chips.at(at % chips.length)
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}
