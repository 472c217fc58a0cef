/** An element and its offset in the content of its scroller, independent of the scroll position. */
interface Mark {
  element: Element
  offset: number
}

/** What the user reads or edits in a scroller. */
interface ReadingPosition {
  /** The element and its ancestors, in case the element is removed. */
  chain: readonly Mark[]
  /** Its row in a list, and the rows after it. */
  rows: readonly Mark[]
}

/** The scrollers that the user scrolled or typed in. */
const positions = new Map<Element, ReadingPosition>()

/** A scroller that always shows its end. */
const FOLLOWS_END = '[data-follows-end]'
/** The assumed reading position, as a fraction of the height of the scroller. */
const EYE_LEVEL = 1 / 3
const ROWS = 5
/** How long a clicked element stays under the pointer. */
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
  const [box, visibleBox] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()]
  return box.bottom >= visibleBox.top && box.top <= visibleBox.bottom
}

/** The deepest element at eye level. */
function atEyeLevel(scroller: Element): Element {
  const { top, height } = scroller.getBoundingClientRect()
  const y = top + Math.min(height, innerHeight - top) * EYE_LEVEL
  let deepest = scroller
  for (;;) {
    const children = [...deepest.children].filter((one) => {
      const { position } = getComputedStyle(one)
      return one.getBoundingClientRect().height > 1 && position !== 'sticky' && position !== 'fixed'
    })
    const next =
      children.find((one) => {
        const box = one.getBoundingClientRect()
        return box.top <= y && box.bottom > y
      }) ?? children.find((one) => one.getBoundingClientRect().top > y)
    if (!next) return deepest
    deepest = next
  }
}

/**
 * The element to keep in place: the field being edited, else a recently clicked element, else the
 * one being read.
 */
function anchorElement(scroller: Element): Element | undefined {
  const { activeElement: focused } = document
  if (focused?.matches(EDITABLE) && scroller.contains(focused) && isVisible(scroller, focused))
    return focused
  if (scroller.scrollTop <= 0) return undefined
  const { element, at } = clicked ?? { element: null, at: 0 }
  const isRecent = performance.now() - at < CLICKED_MS
  if (isRecent && element && element !== scroller && scroller.contains(element)) return element
  return atEyeLevel(scroller)
}

function positionIn(scroller: Element): ReadingPosition | undefined {
  const element = anchorElement(scroller)
  if (!element || element === scroller) return undefined
  const chain: Mark[] = []
  const rows: Mark[] = []
  for (let one: Element | null = element; one && one !== scroller; one = one.parentElement) {
    chain.push(markIn(scroller, one))
    if (one.localName !== 'li') continue
    rows.length = 0
    for (let row: Element | null = one; row && rows.length < ROWS; row = row.nextElementSibling)
      rows.push(markIn(scroller, row))
  }
  return { chain, rows }
}

function savePosition(scroller: Element) {
  const position = scroller.matches(FOLLOWS_END) ? undefined : positionIn(scroller)
  if (!position) return void positions.delete(scroller)
  positions.set(scroller, position)
  // The browser's own scroll anchoring would move the content a second time.
  ;(scroller as HTMLElement).style.overflowAnchor = 'none'
  for (const child of scroller.children) observer?.observe(child)
}

/** How far most rows moved; undefined if they moved apart, as in a list that was sorted again. */
function movedTogether(moves: readonly number[]): number | undefined {
  const counts = Map.groupBy(moves, (movement) => Math.round(movement))
  const [largest] = [...counts.values()].toSorted((a, b) => b.length - a.length)
  return largest && (largest.length > 1 || moves.length === 1) ? largest[0] : undefined
}

function movedBy(scroller: Element, { chain, rows }: ReadingPosition): number {
  const by = ({ element, offset }: Mark) => offsetIn(scroller, element) - offset
  const isPresent = ({ element }: Mark) => scroller.contains(element)
  const anchor = chain.find(isPresent)
  const distance = anchor ? by(anchor) : 0
  const [row, ...others] = rows
  if (!row || (isPresent(row) && Math.abs(distance) < 1)) return distance
  // If the row was moved or removed, the rows after it decide.
  const after = movedTogether(others.filter(isPresent).map(by))
  return after ?? (isPresent(row) && !others.length ? distance : 0)
}

function restorePositions() {
  for (const [scroller, readingPosition] of positions) {
    if (!scroller.isConnected || scroller.matches(FOLLOWS_END)) {
      positions.delete(scroller)
      continue
    }
    const distance = movedBy(scroller, readingPosition)
    if (Math.abs(distance) >= 1) scroller.scrollTop += distance
    savePosition(scroller)
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
 * Keeps what the user reads or edits in place while content above it appears, disappears or grows.
 * It covers every scroller of the app, including virtual lists and the start of a scroller, where
 * browsers do not anchor.
 */
export function anchorScrollers() {
  if (observer) return
  const app = document.getElementById('app')!
  observer = new ResizeObserver(restorePositions)
  new MutationObserver(() => positions.size && restorePositions()).observe(app, {
    ...{ subtree: true, childList: true, characterData: true },
    attributeFilter: ['style', 'class', 'hidden', 'open'],
  })
  const onScroll = ({ target }: Event) => {
    if (target instanceof Element && isScroller(target)) savePosition(target)
  }
  const onFocus = ({ target }: Event) => {
    const scroller = target instanceof Element ? scrollerOf(target) : undefined
    if (!scroller || !isScroller(scroller)) return
    savePosition(scroller)
    // An editor that replaces a plain field reaches its height one frame later.
    requestAnimationFrame(() => savePosition(scroller))
  }
  addEventListener('scroll', onScroll, true)
  addEventListener('focusin', onFocus, true)
  // The user may have scrolled or focused a field before this module was loaded.
  for (const element of app.querySelectorAll('*'))
    if (element.scrollTop > 0 && isScroller(element)) savePosition(element)
  onFocus({ target: document.activeElement } as unknown as Event)
  const onPointerDown = ({ target }: Event) => {
    if (!(target instanceof Element)) return
    clicked = { element: target, at: performance.now() }
    onFocus({ target } as unknown as Event)
  }
  addEventListener('pointerdown', onPointerDown, true)
}
