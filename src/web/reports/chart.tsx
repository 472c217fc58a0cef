import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type UPlot from 'uplot'
import { useTheme } from '../frame/theme.ts'
import type { Draw, Plot } from './plot.ts'
import { type Theme, themeAt } from './theme.ts'

/** A picture that is there: what it is saved with. */
export interface Drawn {
  plot: UPlot
  theme: Theme
}

interface Props {
  name: string
  draw: Draw
  /** How many things it shows, which the keys go through. */
  count: number
  /** What one of them is, in words. */
  words(at: number): string
  /** What is said of none. */
  hint: string
  onPick?(at: number): void
  drawn: RefObject<Drawn | undefined>
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  PageUp: (at) => at + 7,
  PageDown: (at) => at - 7,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A picture whose values are told where the pointer is, or the arrows went. */
export function Chart({ name, draw, count, words, hint, onPick, drawn }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const shown = at !== undefined && at < count ? at : undefined
  const go = usePlot(host, drawn, draw, setAt)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown !== undefined) onPick?.(shown)
    const step = STEPS[event.key]
    if (!step || !count) return
    event.preventDefault()
    event.stopPropagation()
    const next = shown === undefined ? count - 1 : step(shown, count)
    go(Math.min(count - 1, Math.max(0, next)))
  }
  return (
    <>
      <div
        ref={host}
        className={onPick ? 'plot picks' : 'plot'}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={shown ?? 0}
        aria-valuetext={shown === undefined ? hint : words(shown)}
        onKeyDown={press}
        onClick={() => shown !== undefined && onPick?.(shown)}
      />
      <p className="told soft" aria-hidden="true">
        {shown === undefined ? hint : words(shown)}
      </p>
    </>
  )
}

type Kit = typeof UPlot

/** Draws, and draws anew when the theme, the size or what is drawn is another. */
function usePlot(
  host: RefObject<HTMLDivElement | null>,
  drawn: RefObject<Drawn | undefined>,
  draw: Draw,
  setAt: (at: number | undefined) => void,
) {
  const { theme: name } = useTheme()
  const [kit, setKit] = useState<Kit>()
  const plan = useRef<Plot>(undefined)
  useEffect(() => {
    let isGone = false
    import('uplot').then(
      ({ default: found }) => isGone || setKit(() => found),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  const hear = useEffectEvent(({ cursor, over }: UPlot, plot: Plot) => {
    const { left = -1, top = -1 } = cursor
    if (left < 0) return setAt(undefined)
    const at = plot.nearest(drawn.current!.plot, left, top)
    mark(drawn.current!.plot, over, plot.place(at))
    setAt(at)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is drawn anew
  useEffect(() => {
    const element = host.current
    if (!kit || !element) return
    const theme = themeAt(element)
    const plot = draw(theme, kit)
    plan.current = plot
    const { options, data } = plot
    const hooks = { ...options.hooks, setCursor: [(one: UPlot) => hear(one, plot)] }
    const made = new kit({ ...options, hooks, ...sizeOf(element) }, data, element)
    drawn.current = { plot: made, theme }
    const watch = new ResizeObserver(() => made.setSize(sizeOf(element)))
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.destroy()
      drawn.current = undefined
    }
  }, [kit, draw, name])
  return (at: number) => {
    setAt(at)
    const one = drawn.current?.plot
    const place = plan.current?.place(at)
    if (!one || !place) return
    one.setCursor({ left: one.valToPos(place.x, 'x'), top: one.valToPos(place.y, 'y') }, false)
    mark(one, one.over, place)
  }
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height })

/** A ring around what is told of. */
function mark(plot: UPlot, over: HTMLElement, { x, y }: { x: number; y: number }) {
  let ring = over.querySelector<HTMLElement>('.ring')
  if (!ring) {
    ring = document.createElement('span')
    ring.className = 'ring'
    over.append(ring)
  }
  ring.style.transform = `translate(${plot.valToPos(x, 'x')}px, ${plot.valToPos(y, 'y')}px)`
}
