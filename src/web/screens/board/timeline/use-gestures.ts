import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Changes the scale by a factor and keeps the day below this point of the screen in place. */
type ZoomAround = (factor: number, clientX: number) => void

/** A mouse wheel reports steps of 100, a trackpad a few pixels. */
const MAX_WHEEL_STEP = 30
const WHEEL_SPEED = 0.01

/** Zooms with Ctrl and the wheel, or with two fingers, and pans by dragging the background. */
export function useTimelineGestures(
  scroller: RefObject<HTMLDivElement | null>,
  onZoom: ZoomAround,
) {
  const zoom = useEffectEvent(onZoom)
  useEffect(() => {
    const element = scroller.current!
    const controller = new AbortController()
    const options = { signal: controller.signal, passive: false }
    element.addEventListener('wheel', (event) => zoomByWheel(event, zoom), options)
    element.addEventListener('touchstart', (event) => pinch(event, element, zoom), options)
    element.addEventListener('pointerdown', (event) => pan(event, element), options)
    return () => controller.abort()
  }, [scroller])
}

/** Browsers report a pinch on a trackpad as a wheel with Ctrl. */
function zoomByWheel(event: WheelEvent, onZoom: ZoomAround) {
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  const step = Math.min(MAX_WHEEL_STEP, Math.max(-MAX_WHEEL_STEP, event.deltaY))
  onZoom(Math.exp(-step * WHEEL_SPEED), event.clientX)
}

const spread = ([one, other]: TouchList) =>
  Math.max(1, Math.abs(one!.clientX - other!.clientX) + Math.abs(one!.clientY - other!.clientY))

function pinch(event: TouchEvent, element: HTMLElement, onZoom: ZoomAround) {
  if (event.touches.length !== 2) return
  event.preventDefault()
  let before = spread(event.touches)
  const controller = new AbortController()
  const { signal } = controller
  const onMove = (move: TouchEvent) => {
    if (move.touches.length !== 2) return
    move.preventDefault()
    const after = spread(move.touches)
    onZoom(after / before, (move.touches[0]!.clientX + move.touches[1]!.clientX) / 2)
    before = after
  }
  element.addEventListener('touchmove', onMove, { signal, passive: false })
  for (const type of ['touchend', 'touchcancel'])
    element.addEventListener(type, () => controller.abort(), { signal })
}

/** What handles the pointer itself. */
const CONTROLS = ['button', 'input', '.time-bar', '.row-name', '.draw-track']

function pan(event: PointerEvent, element: HTMLElement) {
  const isFree = !CONTROLS.some((selector) => (event.target as Element).closest(selector))
  const isMouse = event.pointerType === 'mouse'
  if (!isMouse || !(event.button === 1 || (event.button === 0 && isFree))) return
  event.preventDefault()
  const { scrollLeft, scrollTop } = element
  const controller = new AbortController()
  const { signal } = controller
  element.setPointerCapture(event.pointerId)
  element.dataset.panning = ''
  element.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      element.scrollLeft = scrollLeft - (clientX - event.clientX)
      element.scrollTop = scrollTop - (clientY - event.clientY)
    },
    { signal },
  )
  for (const type of ['pointerup', 'pointercancel'])
    element.addEventListener(
      type,
      () => {
        controller.abort()
        delete element.dataset.panning
      },
      { signal },
    )
}
