/** How a card is carried with a finger: rest on it, then move; a finger that moves at once scrolls. */
import {
  dayBelow,
  type Ears,
  type Let,
  markCarried,
  markDrop,
  markOver,
  noteTouch,
  type Point,
} from './touch.ts'

const HOLD_MS = 300
const STILL_PX = 8
const EDGE_PX = 56
const SCROLL_PX = 12

/** In these cards are carried. */
const PLACES = '.board, .lines, .days'

/** Hears the fingers on the cards of a board. */
export function hearTouches(place: HTMLElement, ears: Ears): () => void {
  const began = (event: TouchEvent) => {
    const card = (event.target as Element).closest<HTMLElement>('[data-task]')
    // Until the server has made it, it stays where it is.
    const isMade = Number(card?.dataset.task) > 0
    if (card?.closest(PLACES) && isMade && event.touches.length === 1) follow(event, card, ears)
  }
  // Not passive, so that a card that is carried does not scroll what is below it.
  place.addEventListener('touchstart', began, { passive: false })
  return () => place.removeEventListener('touchstart', began)
}

/** From the touch to the end of it; the element may be gone from the document meanwhile. */
function follow({ target, touches }: TouchEvent, card: HTMLElement, ears: Ears) {
  const from = touches[0]!
  const { lane } = card.closest<HTMLElement>('[data-lane]')?.dataset ?? {}
  const begin = lane ?? dayBelow(from)?.dataset.day
  let carry: Carry | undefined
  const timer = setTimeout(() => {
    carry = taken(card, from)
  }, HOLD_MS)
  const moved = (event: TouchEvent) => {
    const [touch] = event.touches
    if (carry && event.cancelable) event.preventDefault()
    if (carry) return carry.to(touch!)
    if (Math.hypot(touch!.clientX - from.clientX, touch!.clientY - from.clientY) > STILL_PX) end()
  }
  const ended = (event: TouchEvent) => {
    // Else it would be a click too.
    if (carry && event.cancelable) event.preventDefault()
    const task_id = Number(card.dataset.task)
    if (carry?.hasMoved() === false) ears.held(task_id)
    const place = carry?.place()
    end()
    if (place) ears.dropped({ task_id, from: begin, ...place })
  }
  const still = (event: Event) => event.preventDefault()
  const over = new AbortController()
  const { signal } = over
  const end = () => {
    clearTimeout(timer)
    carry?.end()
    noteTouch(-1)
    over.abort()
  }
  noteTouch(1)
  target!.addEventListener('touchmove', moved as EventListener, { passive: false, signal })
  target!.addEventListener('touchend', ended as EventListener, { signal })
  target!.addEventListener('touchcancel', end, { signal })
  target!.addEventListener('contextmenu', still, { signal })
}

type Carry = ReturnType<typeof taken>

/** A card that hangs at a finger. */
function taken(card: HTMLElement, from: Point) {
  const board = card.closest<HTMLElement>(PLACES)!
  const image = imageOf(card)
  let at = from
  let found: Found | undefined
  const look = () => {
    if (found) unmark(found)
    found = foundAt(at, card, board)
    if (found) mark(found)
  }
  const stop = everyFrame(() => {
    if (scrollNear(board, at)) look()
  })
  markCarried(card, true)
  return {
    hasMoved: () => at !== from,
    place: () => found?.place,
    to(point: Point) {
      at = point
      const [x, y] = [at.clientX - from.clientX, at.clientY - from.clientY]
      image.style.transform = `translate(${x}px, ${y}px)`
      look()
    },
    end() {
      stop()
      if (found) unmark(found)
      image.remove()
      markCarried(card, false)
    },
  }
}

/** What is below a finger, and what letting go there means. */
interface Found {
  element: HTMLElement
  place: Omit<Let, 'task_id' | 'from'>
}

function foundAt({ clientX, clientY }: Point, card: Element, board: Element): Found | undefined {
  const below = document.elementFromPoint(clientX, clientY)
  const column = dayBelow({ clientX, clientY }) ?? below?.closest<HTMLElement>('[data-column]')
  const isDay = column?.dataset.day !== undefined
  const other = isDay ? undefined : below?.closest<HTMLElement>('[data-task]')
  if (!column || !board.contains(column) || other === card) return undefined
  const { top, height } = (other ?? column).getBoundingClientRect()
  const { column: section, lane, day } = column.dataset
  const place = {
    section_id: section ? Number(section) : undefined,
    to: lane ?? day,
    beside: other ? Number(other.dataset.task) : undefined,
    isBelow: clientY > top + height / 2,
  }
  return { element: other ?? column, place }
}

function mark({ element, place }: Found) {
  if (place.beside === undefined) markOver(element, true)
  else markDrop(element, place.isBelow ? 'bottom' : 'top')
}

function unmark({ element }: Found) {
  markOver(element, false)
  markDrop(element, null)
}

/** What is seen of the card at the finger, above all else. */
function imageOf(card: HTMLElement): HTMLElement {
  const image = card.cloneNode(true) as HTMLElement
  const { top, left, width, height } = card.getBoundingClientRect()
  delete image.dataset.task
  image.classList.add('in-hand')
  image.inert = true
  for (const [name, value] of Object.entries({ top, left, width, height }))
    image.style.setProperty(name, `${value}px`)
  document.body.append(image)
  return image
}

function everyFrame(run: () => void): () => void {
  let frame = requestAnimationFrame(function again() {
    run()
    frame = requestAnimationFrame(again)
  })
  return () => cancelAnimationFrame(frame)
}

/** Near an edge what can be scrolled goes on; true where it did. */
function scrollNear(board: HTMLElement, { clientX, clientY }: Point): boolean {
  const cards = document.elementFromPoint(clientX, clientY)?.closest('.cards, .lines, .days')
  const across = push(clientX, board.getBoundingClientRect().left, board.clientWidth)
  const box = cards?.getBoundingClientRect()
  const down = box ? push(clientY, box.top, box.height) : 0
  const before = [board.scrollLeft, cards?.scrollTop]
  board.scrollLeft += across
  if (cards) cards.scrollTop += down
  return before[0] !== board.scrollLeft || before[1] !== cards?.scrollTop
}

const push = (at: number, from: number, length: number) =>
  at < from + EDGE_PX ? -SCROLL_PX : at > from + length - EDGE_PX ? SCROLL_PX : 0
