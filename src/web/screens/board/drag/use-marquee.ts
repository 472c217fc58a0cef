import { useEffect, useEffectEvent } from 'react'
import type { MarqueeSelection } from './marquee.ts'

/** Lets the mouse draw a rectangle that selects cards. */
export function useMarquee(selection: MarqueeSelection) {
  const start = useEffectEvent(async (press: PointerEvent) => {
    const lastEvent = followPointer()
    const { startMarquee } = await import('./marquee.ts').finally(lastEvent.stop)
    startMarquee(press, selection, lastEvent.event)
  })
  useEffect(() => {
    const root = document.getElementById('main')
    const onPress = (press: PointerEvent) => {
      if (press.pointerType === 'mouse' && press.button === 0) start(press).catch(() => {})
    }
    root?.addEventListener('pointerdown', onPress)
    return () => root?.removeEventListener('pointerdown', onPress)
  }, [])
}

/** Remembers the last movement or release of the pointer, which may come while code is loading. */
function followPointer() {
  const controller = new AbortController()
  const last = { event: undefined as PointerEvent | undefined, stop: () => controller.abort() }
  const remember = (event: PointerEvent) => {
    last.event = event
  }
  addEventListener('pointermove', remember, { signal: controller.signal })
  addEventListener('pointerup', remember, { signal: controller.signal })
  return last
}
