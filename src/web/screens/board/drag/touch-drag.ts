/** Drags a card with a finger: hold it, then move. A finger that moves at once scrolls. */

import { countTouch, markDragged, markDrop, markOver } from '../../../kit/drag-marks.ts'
import { dayElementAt, type Point, type TouchDrop, type TouchHandlers } from './touch.ts'

const HOLD_MS = 300
/** A card that was picked up and not moved by then opens its menu. */
const MENU_MS = 500
const MOVE_TOLERANCE_PX = 8
const EDGE_PX = 56
const SCROLL_PX = 12

/** The areas in which cards can be dragged. */
const CARD_AREAS = '.board, .lines, .days'

/** Listens for touches on the cards of a board. */
export function listenForTouches(place: HTMLElement, handlers: TouchHandlers): () => void {
  const onTouchStart = (event: TouchEvent) => {
    const card = (event.target as Element).closest<HTMLElement>('[data-task]')
    // A card that the server has not created yet cannot be moved.
    const isSaved = Number(card?.dataset.task) > 0
    const isGrip = (event.target as Element).closest('.grip') !== null
    if (!isGrip && card?.closest(CARD_AREAS) && isSaved && event.touches.length === 1)
      trackTouch(event, card, handlers)
  }
  // Not passive, because dragging must prevent scrolling.
  place.addEventListener('touchstart', onTouchStart, { passive: false })
  return () => place.removeEventListener('touchstart', onTouchStart)
}

/** Follows one touch. The card's element may leave the document meanwhile. */
function trackTouch({ target, touches }: TouchEvent, card: HTMLElement, handlers: TouchHandlers) {
  const from = touches[0]!
  const { lane } = card.closest<HTMLElement>('[data-lane]')?.dataset ?? {}
  const startLane = lane ?? dayElementAt(from)?.dataset.day
  let drag: TouchDrag | undefined
  let closeMenu: (() => void) | undefined
  const timer = setTimeout(() => {
    drag = startDrag(card, from)
  }, HOLD_MS)
  const menuTimer = setTimeout(() => {
    if (drag?.hasMoved() === false) closeMenu = handlers.onHeld(Number(card.dataset.task), from)
  }, MENU_MS)
  const onTouchMove = (event: TouchEvent) => {
    const [touch] = event.touches
    if (drag && event.cancelable) event.preventDefault()
    // A finger that moves after all drags the card.
    if (drag && closeMenu && !isFar(touch!, from)) return
    closeMenu?.()
    closeMenu = undefined
    if (drag) return drag.to(touch!)
    if (isFar(touch!, from)) end()
  }
  const onTouchEnd = (event: TouchEvent) => {
    // Prevents the click that follows a touch.
    if (drag && event.cancelable) event.preventDefault()
    const task_id = Number(card.dataset.task)
    const place = drag?.place()
    end()
    if (place) handlers.onDropped({ task_id, from: startLane, ...place })
  }
  const preventMenu = (event: Event) => event.preventDefault()
  const controller = new AbortController()
  const { signal } = controller
  const end = () => {
    clearTimeout(timer)
    clearTimeout(menuTimer)
    drag?.end()
    countTouch(-1)
    controller.abort()
  }
  countTouch(1)
  target!.addEventListener('touchmove', onTouchMove as EventListener, { passive: false, signal })
  target!.addEventListener('touchend', onTouchEnd as EventListener, { signal })
  target!.addEventListener('touchcancel', end, { signal })
  target!.addEventListener('contextmenu', preventMenu, { signal })
}

const isFar = (point: Point, from: Point) =>
  Math.hypot(point.clientX - from.clientX, point.clientY - from.clientY) > MOVE_TOLERANCE_PX

type TouchDrag = ReturnType<typeof startDrag>

/** A card being dragged. */
function startDrag(card: HTMLElement, from: Point) {
  const board = card.closest<HTMLElement>(CARD_AREAS)!
  const image = imageOf(card)
  let at = from
  let target: DropTarget | undefined
  const updateTarget = () => {
    if (target) unmark(target)
    target = findTarget(at, card, board)
    if (target) mark(target)
  }
  const stop = everyFrame(() => {
    if (scrollNear(board, at)) updateTarget()
  })
  markDragged(card, true)
  return {
    hasMoved: () => at !== from,
    place: () => target?.place,
    to(point: Point) {
      at = point
      const [x, y] = [at.clientX - from.clientX, at.clientY - from.clientY]
      image.style.transform = `translate(${x}px, ${y}px)`
      updateTarget()
    },
    end() {
      stop()
      if (target) unmark(target)
      image.remove()
      markDragged(card, false)
    },
  }
}

/** What is below the finger, and where a drop there puts the card. */
interface DropTarget {
  element: HTMLElement
  place: Omit<TouchDrop, 'task_id' | 'from'>
}

function findTarget(
  { clientX, clientY }: Point,
  card: Element,
  board: Element,
): DropTarget | undefined {
  const below = document.elementFromPoint(clientX, clientY)
  const column = dayElementAt({ clientX, clientY }) ?? below?.closest<HTMLElement>('[data-column]')
  const isDay = column?.dataset.day !== undefined
  const otherCard = isDay ? undefined : below?.closest<HTMLElement>('[data-task]')
  if (!column || !board.contains(column) || otherCard === card) return undefined
  const { top, height } = (otherCard ?? column).getBoundingClientRect()
  const { column: section, lane, day } = column.dataset
  const place = {
    section_id: section ? Number(section) : undefined,
    to: lane ?? day,
    neighbourId: otherCard ? Number(otherCard.dataset.task) : undefined,
    isBelow: clientY > top + height / 2,
  }
  return { element: otherCard ?? column, place }
}

function mark({ element, place }: DropTarget) {
  if (place.neighbourId === undefined) markOver(element, true)
  else markDrop(element, place.isBelow ? 'bottom' : 'top')
}

function unmark({ element }: DropTarget) {
  markOver(element, false)
  markDrop(element, null)
}

/** A copy of the card that follows the finger. */
function imageOf(card: HTMLElement): HTMLElement {
  const image = card.cloneNode(true) as HTMLElement
  const { top, left, width, height } = card.getBoundingClientRect()
  delete image.dataset.task
  image.classList.add('dragged-card')
  image.inert = true
  for (const [name, value] of Object.entries({ top, left, width, height }))
    image.style.setProperty(name, `${value}px`)
  document.body.append(image)
  return image
}

function everyFrame(run: () => void): () => void {
  let frame = requestAnimationFrame(function loop() {
    run()
    frame = requestAnimationFrame(loop)
  })
  return () => cancelAnimationFrame(frame)
}

/** Scrolls near an edge; returns true if anything scrolled. */
function scrollNear(board: HTMLElement, { clientX, clientY }: Point): boolean {
  const cards = document.elementFromPoint(clientX, clientY)?.closest('.cards, .lines, .days')
  const dx = scrollStep(clientX, board.getBoundingClientRect().left, board.clientWidth)
  const box = cards?.getBoundingClientRect()
  const dy = box ? scrollStep(clientY, box.top, box.height) : 0
  const before = [board.scrollLeft, cards?.scrollTop]
  board.scrollLeft += dx
  if (cards) cards.scrollTop += dy
  return before[0] !== board.scrollLeft || before[1] !== cards?.scrollTop
}

const scrollStep = (at: number, from: number, length: number) =>
  at < from + EDGE_PX ? -SCROLL_PX : at > from + length - EDGE_PX ? SCROLL_PX : 0
