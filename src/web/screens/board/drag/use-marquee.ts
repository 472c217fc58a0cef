import { useEffect, useEffectEvent } from 'react'
import type { MarqueeSelection } from './marquee.ts'

/** Lets the mouse draw a rectangle that selects cards. */
export function useMarquee(selection: MarqueeSelection) {
  const start = useEffectEvent(async (press: PointerEvent) => {
    const { startMarquee } = await import('./marquee.ts')
    startMarquee(press, selection)
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
