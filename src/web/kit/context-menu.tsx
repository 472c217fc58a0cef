import { type MouseEvent, type ReactNode, Suspense, type TouchEvent } from 'react'
import { MenuPopup } from './menu.tsx'
import type { MenuContent } from './menu-popup.tsx'
import type { PointAnchor, PopupProps } from './opener.tsx'
import { OverlayLoading } from './overlay-loading.tsx'
import { createStore } from './store.ts'

type RenderMenu = (popup: PopupProps) => ReactNode

interface OpenMenu {
  id: number
  render: RenderMenu
  anchor: PopupProps['anchor']
  /** The element that had the focus before. */
  opener: Element | null
}

const openedMenu = createStore<OpenMenu | undefined>(undefined)
let nextId = 1

/** Opens a menu at a point or beside an element. */
export function openMenu(render: RenderMenu, anchor: PopupProps['anchor']) {
  openedMenu.set({ id: nextId++, render, anchor, opener: document.activeElement })
}

export const closeMenu = () => openedMenu.set(undefined)

export type Position = Pick<Touch, 'clientX' | 'clientY'>

export const pointAnchor = ({ clientX: x, clientY: y }: Position): PointAnchor => ({
  getBoundingClientRect: () => DOMRect.fromRect({ x, y }),
})

/** The menu that was opened at a point; only one is open at a time. */
export function ContextMenus() {
  const opened = openedMenu.use()
  if (!opened) return null
  const { id, render, anchor, opener } = opened
  const finalFocus = { current: opener instanceof HTMLElement ? opener : null }
  return (
    <Suspense key={id} fallback={<OverlayLoading onLeave={closeMenu} />}>
      {render({
        ...{ id: `menu-${id}`, anchor, finalFocus, close: closeMenu },
        onOpenChange: (open) => open || closeMenu(),
      })}
    </Suspense>
  )
}

/** Reports where a menu is requested: by right click, long press, the menu key or Shift+F10. */
export const onMenuRequest = (open: (position: Position) => void) => ({
  onContextMenu(event: MouseEvent) {
    if (isForBrowser(event.nativeEvent, event.currentTarget)) return
    event.preventDefault()
    event.stopPropagation()
    open(event)
  },
  onTouchStart(event: TouchEvent) {
    if (isForBrowser(event.nativeEvent, event.currentTarget)) return
    event.stopPropagation()
    followLongPress(event.nativeEvent, open)
  },
})

/** Opens a menu where it is requested. The button of the same menu shares its content. */
export const contextMenu = (content: () => MenuContent) => ({
  ...onMenuRequest((position) => openMenuAt(position, content())),
  onPointerEnter: () => void MenuPopup.preload(),
})

export const openMenuAt = (position: Position, menu: MenuContent) =>
  openMenu((popup) => <MenuPopup {...menu} {...popup} />, pointAnchor(position))

/** Whether the browser's own menu is better: in fields, on links and images, and on marked text. */
export function isForBrowser(event: Event, element: Element): boolean {
  // Events from the editor start inside a shadow root, so `event.target` is only its host.
  const [target] = event.composedPath()
  if (event.defaultPrevented || !(target instanceof Element)) return true
  if (target.closest('input, textarea, select, [contenteditable]')) return true
  const media = target.closest('a, img, video')
  if (media && media !== element && media.parentElement !== element && element.contains(media))
    return true
  const selection = getSelection()
  return selection?.isCollapsed === false && selection.containsNode(target, true)
}

const LONG_PRESS_MS = 500
const MOVE_TOLERANCE_PX = 8

/** Reports a finger that stays where it is. Scrolling and a second finger cancel it. */
function followLongPress(event: globalThis.TouchEvent, onHeld: (position: Position) => void) {
  const [from] = event.touches
  const { target } = event
  if (!from || !target || event.touches.length > 1) return
  const controller = new AbortController()
  const options = { signal: controller.signal, passive: false }
  let isHeld = false
  const end = () => {
    clearTimeout(timer)
    controller.abort()
  }
  const timer = setTimeout(() => {
    isHeld = true
    onHeld(from)
  }, LONG_PRESS_MS)
  const onMove = (move: Event) => {
    const [to] = (move as globalThis.TouchEvent).touches
    if (to && distance(from, to) > MOVE_TOLERANCE_PX) end()
  }
  const onEnd = (up: Event) => {
    // Prevents the click that follows a touch.
    if (isHeld && up.cancelable) up.preventDefault()
    end()
  }
  target.addEventListener('touchmove', onMove, options)
  target.addEventListener('touchend', onEnd, options)
  target.addEventListener('touchcancel', end, options)
  // Some browsers report a long press as a request for a menu, which opens it.
  target.addEventListener('contextmenu', () => isHeld || clearTimeout(timer), options)
}

const distance = (from: Position, to: Position) =>
  Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY)
