import './marquee.css'

/** The parts of a board in which a rectangle can be drawn. */
const AREAS = '.board, .tray, .time-body'
/** What scrolls in them, or around them. */
const SCROLLERS = '.board, .cards, .lines-of-tray, .time-scroller'
/** A press on one of these does something else. */
const OCCUPIED = 'button:not(.row-name .title), a, input, textarea, [contenteditable], header'

const START_PX = 5
const EDGE_PX = 40
const SCROLL_PX = 12

export interface MarqueeSelection {
  selectedIds: ReadonlySet<number>
  select(ids: ReadonlySet<number>): void
}

interface Point {
  x: number
  y: number
}

/**
 * Follows the mouse from a press on empty space; the rectangle selects the cards it touches. `last`
 * is what the mouse has done since the press.
 */
export function startMarquee(
  press: PointerEvent,
  { selectedIds, select }: MarqueeSelection,
  last?: PointerEvent,
) {
  const area = areaOf(press)
  if (!area) return
  const from = pointOf(press)
  const base = press.shiftKey ? [...selectedIds] : []
  const controller = new AbortController()
  let marquee: Marquee | undefined
  const end = () => {
    controller.abort()
    marquee?.end()
  }
  const onMove = (event: PointerEvent) => {
    if (!(event.buttons & 1)) return end()
    const to = pointOf(event)
    if (!marquee && Math.hypot(to.x - from.x, to.y - from.y) < START_PX) return
    marquee ??= drawMarquee(area, press, (ids) => select(new Set([...base, ...ids])))
    marquee.to(to)
  }
  const onUp = () => {
    if (marquee) suppressClick()
    end()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !marquee) return
    event.stopImmediatePropagation()
    addEventListener('pointerup', suppressClick, { once: true })
    end()
    select(selectedIds)
  }
  const { signal } = controller
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('selectstart', (event) => event.preventDefault(), { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
  if (last) onMove(last)
}

const pointOf = ({ clientX: x, clientY: y }: PointerEvent): Point => ({ x, y })

/** The area of a press, if it is on empty space there or on a name of the timeline. */
function areaOf({ target, clientX, clientY }: PointerEvent): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest(OCCUPIED)) return undefined
  const area = target.closest<HTMLElement>(AREAS)
  const isName = target.closest('.row-name') !== null
  if (!area || isName !== area.matches('.time-body')) return undefined
  if (!isName && target.closest('[data-task]')) return undefined
  const { left, top } = target.getBoundingClientRect()
  const isScrollbar = clientX > left + target.clientWidth || clientY > top + target.clientHeight
  return isScrollbar && target.matches(SCROLLERS) ? undefined : area
}

/** The release of the mouse must not click what is below it. */
function suppressClick() {
  const onClick = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', onClick, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', onClick, true))
}

type Marquee = ReturnType<typeof drawMarquee>

/** Draws the rectangle, scrolls near the edges and reports the cards that it touches. */
function drawMarquee(
  area: HTMLElement,
  press: PointerEvent,
  onTouched: (ids: ReadonlySet<number>) => void,
) {
  const from = pointOf(press)
  const scrollers = scrollersOf(area)
  const frame = scrollers[0]!.element
  const element = document.body.appendChild(document.createElement('div'))
  element.className = 'marquee'
  let to = from
  let touched: ReadonlySet<number> = new Set()
  const update = () => {
    const view = frame.getBoundingClientRect()
    to = { x: clamp(to.x, view.left, view.right), y: clamp(to.y, view.top, view.bottom) }
    const start = shifted(from, scrollers, press.target as Element)
    place(element, intersection(between(start, to), view))
    const next = touchedCards(area, scrollers, from, to, touched)
    if (next.symmetricDifference(touched).size) onTouched(next)
    touched = next
  }
  const stop = everyFrame(() => {
    scrollNear(area, scrollers, to)
    update()
  })
  return {
    to(point: Point) {
      to = point
    },
    end() {
      stop()
      element.remove()
    },
  }
}

/** An element that scrolls, and its position when the rectangle was begun. */
interface Scroller {
  element: HTMLElement
  left: number
  top: number
}

/** The outermost comes first. */
const scrollersOf = (area: HTMLElement): Scroller[] =>
  [...document.querySelectorAll<HTMLElement>(SCROLLERS)]
    .filter((element) => element.contains(area) || area.contains(element))
    .map((element) => ({ element, left: element.scrollLeft, top: element.scrollTop }))

/** Where a point of the content is after scrolling. The names of a timeline only scroll down. */
function shifted({ x, y }: Point, scrollers: readonly Scroller[], inside: Element): Point {
  const around = scrollers.filter(({ element }) => element.contains(inside))
  const sideways = around.filter(({ element }) => !element.matches('.time-scroller'))
  return {
    x: sideways.reduce((sum, { element, left }) => sum - element.scrollLeft + left, x),
    y: around.reduce((sum, { element, top }) => sum - element.scrollTop + top, y),
  }
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

const between = (a: Point, b: Point): Box => ({
  ...{ left: Math.min(a.x, b.x), top: Math.min(a.y, b.y) },
  ...{ right: Math.max(a.x, b.x), bottom: Math.max(a.y, b.y) },
})

const intersection = (a: Box, b: Box): Box => ({
  ...{ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top) },
  ...{ right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) },
})

const isEmpty = ({ left, top, right, bottom }: Box) => left > right || top > bottom

function place({ style }: HTMLElement, { left, top, right, bottom }: Box) {
  style.translate = `${left}px ${top}px`
  style.width = `${Math.max(0, right - left)}px`
  style.height = `${Math.max(0, bottom - top)}px`
}

/** Cards that are scrolled out of sight stay as they were; virtual lists no longer draw them. */
function touchedCards(
  area: HTMLElement,
  scrollers: readonly Scroller[],
  from: Point,
  to: Point,
  before: ReadonlySet<number>,
): ReadonlySet<number> {
  const visible = new Set<number>()
  const touched = new Set<number>()
  for (const card of area.querySelectorAll<HTMLElement>('article[data-task]')) {
    const scroller = card.closest(SCROLLERS)!.getBoundingClientRect()
    const box = (card.querySelector('.row-name') ?? card).getBoundingClientRect()
    const part = intersection(box, scroller)
    const id = Number(card.dataset.task)
    // A card that the server has not created yet cannot be changed.
    if (isEmpty(part) || id < 0) continue
    visible.add(id)
    const rectangle = between(shifted(from, scrollers, card), to)
    if (!isEmpty(intersection(part, rectangle))) touched.add(id)
  }
  return before.difference(visible).union(touched)
}

function everyFrame(run: () => void): () => void {
  let frame = requestAnimationFrame(function loop() {
    run()
    frame = requestAnimationFrame(loop)
  })
  return () => cancelAnimationFrame(frame)
}

/** Scrolls what is below the mouse near its edges. */
function scrollNear(area: HTMLElement, scrollers: readonly Scroller[], { x, y }: Point) {
  const below = document.elementsFromPoint(x, y).find((element) => area.contains(element)) ?? area
  const column = below.closest('.column')
  for (const { element } of scrollers) {
    if (!element.contains(below) && !column?.contains(element)) continue
    const { left, top } = element.getBoundingClientRect()
    if (!element.matches('.time-scroller'))
      element.scrollLeft += scrollStep(x, left, element.clientWidth)
    element.scrollTop += scrollStep(y, top, element.clientHeight)
  }
}

const scrollStep = (at: number, start: number, length: number) =>
  at < start + EDGE_PX ? -SCROLL_PX : at > start + length - EDGE_PX ? SCROLL_PX : 0
