/** Where a removed element was. */
interface Place {
  parent: Node
  next: Node | null
  previous: Node | null
}

/** Enough for an element, a menu about it, and a dialog of the menu. */
const MAX_REMEMBERED = 6
/** Dialogs and menus give the focus back themselves, after a frame. */
const PATIENCE_MS = 80

/** Text fields are left out, because the shortcuts of the screen do not work in them. */
const TABBABLE = [
  'a[href], button:not(:disabled), select:not(:disabled), [tabindex]',
  'input:is([type=checkbox], [type=radio]):not(:disabled), [role=dialog] input:not(:disabled)',
].join()

let isKeeping = false

/**
 * When the element that has the focus is removed, gives it to the same task elsewhere or to a
 * neighbour, for example because a card is moved or archived. Otherwise the browser drops it, and the
 * keyboard starts at the top of the page.
 */
export function keepFocus() {
  if (isKeeping) return
  isKeeping = true
  /** The elements that had the focus, the last one first. */
  let remembered: Element[] = []
  const places = new Map<Node, Place>()
  let isWaiting = false

  const remember = ({ target }: { target: EventTarget | null }) => {
    if (!(target instanceof Element) || target === document.body) return
    remembered = [target, ...remembered.filter((one) => one !== target)].slice(0, MAX_REMEMBERED)
    places.clear()
  }
  const restore = () => {
    isWaiting = false
    if (isLost(remembered[0])) findNext(remembered, places)?.focus({ preventScroll: true })
    if (document.activeElement !== document.body) places.clear()
  }
  new MutationObserver((records) => {
    for (const record of records) notePlaces(record, remembered, places)
    if (isWaiting || !isLost(remembered[0])) return
    isWaiting = true
    setTimeout(restore, PATIENCE_MS)
  }).observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', remember)
  remember({ target: document.activeElement })
}

const isLost = (last: Element | undefined) =>
  last !== undefined && !last.isConnected && document.activeElement === document.body

/** Notes where remembered elements, and the parents of removed ones, have been. */
function notePlaces(
  { target, removedNodes, nextSibling, previousSibling }: MutationRecord,
  remembered: readonly Element[],
  places: Map<Node, Place>,
) {
  if (!removedNodes.length) return
  const followed = [...remembered, ...[...places.values()].map(({ parent }) => parent)]
  for (const removed of removedNodes)
    for (const node of followed)
      if (removed.contains(node))
        places.set(node, { parent: target, next: nextSibling, previous: previousSibling })
}

/** What to focus instead of the first element that still has something near it. */
function findNext(
  remembered: readonly Element[],
  places: ReadonlyMap<Node, Place>,
): HTMLElement | null {
  for (const element of remembered) {
    if (element.isConnected && isUsable(element)) return element
    const found = findSameTask(element) ?? findNear(places.get(element), places)
    if (found) return found
  }
  return document.querySelector<HTMLElement>('#main')
}

/** The same task elsewhere: somebody else has moved its card. */
function findSameTask(element: Element): HTMLElement | undefined {
  const id = element.closest('[data-task]')?.getAttribute('data-task')
  return id ? firstIn(document.querySelector(`main [data-task="${CSS.escape(id)}"]`)) : undefined
}

function findNear(place: Place | undefined, places: ReadonlyMap<Node, Place>): HTMLElement | null {
  for (let one = place; one; one = places.get(one.parent)) {
    const { parent, next, previous } = one
    if (!parent.isConnected) continue
    const beside = firstIn(next) ?? firstIn(previous)
    if (beside) return beside
    // The body and its portals are no neighbourhood.
    for (let up = parent as Element | null; up && isInside(up); up = up.parentElement) {
      const found = firstIn(up)
      if (found) return found
    }
    return null
  }
  return null
}

const isInside = (element: Element) => element.closest('main, nav, [role=dialog]') !== null

/** The first element that Tab reaches, or else one that the arrow keys reach. */
function firstIn(node: Node | null): HTMLElement | undefined {
  if (!(node instanceof Element) || !node.isConnected || !isInside(node)) return undefined
  const all = [...node.querySelectorAll<HTMLElement>(TABBABLE)]
  if (node instanceof HTMLElement && node.matches(TABBABLE)) all.unshift(node)
  const usable = all.filter(isUsable)
  return usable.find(({ tabIndex }) => tabIndex >= 0) ?? usable[0]
}

const isUsable = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.checkVisibility({ visibilityProperty: true }) &&
  !element.closest('[inert]') &&
  element.matches(TABBABLE)
