import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { PREVIEW_REQUEST } from '../preview-request.ts'
import { type Target, targetAt, targetOf } from './targets.ts'

const OPEN_MS = 400
/** Time to move the pointer from the link to the preview. */
const CLOSE_MS = 200

/** The element whose preview is open: that under the pointer, or that with the focus. */
export function usePreview(): { target: Target | undefined; close(): void } {
  const [target, setTarget] = useState<Target>()
  const [path] = useLocation()
  const [query] = useSearchParams()
  const task = query.get('task')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the preview
  useEffect(() => setTarget(undefined), [path, task])
  useEffect(() => followPointer(setTarget), [])
  useHiddenTitle(target?.element)
  return { target, close: () => setTarget(undefined) }
}

type Show = (target: Target | undefined) => void

/** Touch has no hover, and a long press opens a menu. */
function followPointer(show: Show): () => void {
  const events = new AbortController()
  const options = { capture: true, passive: true, signal: events.signal }
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: Element | undefined
  const change = (target: Target | undefined, delay: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (target && !target.element.isConnected) return
      shown = target?.element
      show(target)
    }, delay)
  }
  const hover = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.buttons) return
    const target = targetOf(event)
    if (isInPreview(event) || (shown && target?.element === shown)) return clearTimeout(timer)
    change(target, target ? OPEN_MS : CLOSE_MS)
  }
  const close = () => {
    clearTimeout(timer)
    if (shown) show(undefined)
    shown = undefined
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || /^(Alt|Control|Meta|Shift)$/.test(event.key)) return
    // Escape closes only the preview, and not the panel under it.
    if (shown && event.key === 'Escape') event.stopPropagation()
    close()
  }
  const target = hovered()
  if (target) change(target, OPEN_MS)
  addEventListener('pointerover', hover, options)
  addEventListener('pointerdown', close, options)
  addEventListener('wheel', close, options)
  addEventListener('keydown', press, options)
  addEventListener(PREVIEW_REQUEST, () => change(focused(), 0), options)
  return () => {
    clearTimeout(timer)
    events.abort()
  }
}

/** What was under the pointer before this code was loaded. */
function hovered(): Target | undefined {
  const element = [...document.querySelectorAll(':hover')].at(-1)
  return element && matchMedia('(hover: hover)').matches ? targetAt(element) : undefined
}

const isInPreview = ({ target }: Event) =>
  target instanceof Element && target.closest('.preview') !== null

/** What has the focus, or the only person in it. Texts with links are inside a shadow root. */
function focused(): Target | undefined {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  const inside = element?.querySelector('[data-preview], [data-actor]')
  return element ? (targetAt(element) ?? (inside ? targetAt(inside) : undefined)) : undefined
}

/** The browser would show the title over the preview. */
function useHiddenTitle(element: HTMLElement | undefined) {
  useEffect(() => {
    const title = element?.title
    if (!element || !title) return
    element.title = ''
    return () => {
      element.title = title
    }
  }, [element])
}
