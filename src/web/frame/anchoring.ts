/** An element and where it begins in the content of its scroller, however far that is scrolled. */
interface Mark {
  element: Element
  offset: number
}

/** What somebody reads or writes in a scroller. */
interface Place {
  /** The element itself, and those around it for when it is gone. */
  chain: readonly Mark[]
  /** The row of a list that it is in, and the rows after it. */
  rows: readonly Mark[]
}

/** The scrollers that were scrolled, or in which somebody types. */
const places = new Map<Element, Place>()

/** A scroller that shows its end, whatever comes there. */
const FOLLOWS_END = '[data-follows-end]'
/** Readers look somewhat below the upper edge. */
const EYE_LEVEL = 1 / 3
const ROWS = 5
/** What somebody clicked stays under the pointer for so long. */
const CLICKED_MS = 1000
const EDITABLE = 'input:not([type=checkbox], [type=radio]), textarea, .code'

let clicked: { element: Element; at: number } | undefined
let observer: ResizeObserver | undefined

const offsetIn = (scroller: Element, element: Element) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop

const markIn = (scroller: Element, element: Element): Mark => ({
  element,
  offset: offsetIn(scroller, element),
})

function isVisible(scroller: Element, element: Element): boolean {
  const [box, room] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()]
  return box.bottom >= room.top && box.top <= room.bottom
}

/** The deepest element at the height where one reads. */
function atEyeLevel(scroller: Element): Element {
  const { top, height } = scroller.getBoundingClientRect()
  const y = top + Math.min(height, innerHeight - top) * EYE_LEVEL
  let found = scroller
  for (;;) {
    const children = [...found.children].filter((one) => {
      const { position } = getComputedStyle(one)
      return one.getBoundingClientRect().height > 1 && position !== 'sticky' && position !== 'fixed'
    })
    const next =
      children.find((one) => {
        const box = one.getBoundingClientRect()
        return box.top <= y && box.bottom > y
      }) ?? children.find((one) => one.getBoundingClientRect().top > y)
    if (!next) return found
    found = next
  }
}

/** What is to stay in place: where somebody types, else what they clicked, else what they read. */
function heldIn(scroller: Element): Element | undefined {
  const { activeElement: focused } = document
  if (focused?.matches(EDITABLE) && scroller.contains(focused) && isVisible(scroller, focused))
    return focused
  if (scroller.scrollTop <= 0) return undefined
  const { element, at } = clicked ?? { element: null, at: 0 }
  const isFresh = performance.now() - at < CLICKED_MS
  if (isFresh && element && element !== scroller && scroller.contains(element)) return element
  return atEyeLevel(scroller)
}

function placeIn(scroller: Element): Place | undefined {
  const held = heldIn(scroller)
  if (!held || held === scroller) return undefined
  const chain: Mark[] = []
  const rows: Mark[] = []
  for (let one: Element | null = held; one && one !== scroller; one = one.parentElement) {
    chain.push(markIn(scroller, one))
    if (one.localName !== 'li') continue
    rows.length = 0
    for (let row: Element | null = one; row && rows.length < ROWS; row = row.nextElementSibling)
      rows.push(markIn(scroller, row))
  }
  return { chain, rows }
}

function remember(scroller: Element) {
  const place = scroller.matches(FOLLOWS_END) ? undefined : placeIn(scroller)
  if (!place) return void places.delete(scroller)
  places.set(scroller, place)
  // Both together would move it twice.
  ;(scroller as HTMLElement).style.overflowAnchor = 'none'
  for (const child of scroller.children) observer?.observe(child)
}

/** How far most rows moved; nothing where they moved apart, as in a list that is sorted anew. */
function movedTogether(moves: readonly number[]): number | undefined {
  const counts = Map.groupBy(moves, (by) => Math.round(by))
  const [most] = [...counts.values()].toSorted((a, b) => b.length - a.length)
  return most && (most.length > 1 || moves.length === 1) ? most[0] : undefined
}

function movedBy(scroller: Element, { chain, rows }: Place): number {
  const by = ({ element, offset }: Mark) => offsetIn(scroller, element) - offset
  const isThere = ({ element }: Mark) => scroller.contains(element)
  const own = chain.find(isThere)
  const distance = own ? by(own) : 0
  const [row, ...others] = rows
  if (!row || (isThere(row) && Math.abs(distance) < 1)) return distance
  // A row that somebody moved elsewhere, or took away, does not take the reader along.
  const after = movedTogether(others.filter(isThere).map(by))
  return after ?? (isThere(row) && !others.length ? distance : 0)
}

function hold() {
  for (const [scroller, place] of places) {
    if (!scroller.isConnected || scroller.matches(FOLLOWS_END)) {
      places.delete(scroller)
      continue
    }
    const distance = movedBy(scroller, place)
    if (Math.abs(distance) >= 1) scroller.scrollTop += distance
    remember(scroller)
  }
}

const isScroller = (element: Element) =>
  element.matches('#app *') && !element.matches('textarea, input')

function scrollerOf(element: Element): Element | undefined {
  for (let one = element.parentElement; one; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one
  return undefined
}

/**
 * Keeps what somebody reads or writes where it is on the screen while other things come, go and
 * grow above it. It holds for every scroller of the app, those of lists that draw only what is seen
 * included; browsers do that for neither those lists nor the start of a scroller.
 */
export function anchorScrollers() {
  if (observer) return
  const app = document.getElementById('app')!
  observer = new ResizeObserver(hold)
  new MutationObserver(() => places.size && hold()).observe(app, {
    ...{ subtree: true, childList: true, characterData: true },
    attributeFilter: ['style', 'class', 'hidden', 'open'],
  })
  const scrolled = ({ target }: Event) => {
    if (target instanceof Element && isScroller(target)) remember(target)
  }
  const focused = ({ target }: Event) => {
    const scroller = target instanceof Element ? scrollerOf(target) : undefined
    if (!scroller || !isScroller(scroller)) return
    remember(scroller)
    // An editor that takes the place of a plain field has its height a moment later.
    requestAnimationFrame(() => remember(scroller))
  }
  addEventListener('scroll', scrolled, true)
  addEventListener('focusin', focused, true)
  // Somebody may have scrolled and begun to type before this was fetched.
  for (const element of app.querySelectorAll('*'))
    if (element.scrollTop > 0 && isScroller(element)) remember(element)
  focused({ target: document.activeElement } as unknown as Event)
  const pressed = ({ target }: Event) => {
    if (!(target instanceof Element)) return
    clicked = { element: target, at: performance.now() }
    focused({ target } as unknown as Event)
  }
  addEventListener('pointerdown', pressed, true)
}
