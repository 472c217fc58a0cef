import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type UPlot from 'uplot'
import { useTheme } from '../../kit/appearance.ts'
import type { Draw, Plot } from './plot.ts'
import { type Theme, themeAt } from './theme.ts'

/** A rendered chart with its theme, which the PNG export needs. */
export interface DrawnChart {
  plot: UPlot
  theme: Theme
}

interface Props {
  name: string
  draw: Draw
  /** The number of data points the arrow keys step through. */
  count: number
  /** Describes a data point in words. */
  describe(index: number): string
  /** Shown while no data point is active. */
  hint: string
  onPick?(index: number): void
  drawnChart: RefObject<DrawnChart | undefined>
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

/** A chart that describes the data point under the pointer or reached with the arrow keys. */
export function Chart({ name, draw, count, describe, hint, onPick, drawnChart }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState<number>()
  const activeIndex = index !== undefined && index < count ? index : undefined
  const moveTo = usePlot(host, drawnChart, draw, setIndex)
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && activeIndex !== undefined) onPick?.(activeIndex)
    const step = STEPS[event.key]
    if (!step || !count) return
    event.preventDefault()
    event.stopPropagation()
    const next = activeIndex === undefined ? count - 1 : step(activeIndex, count)
    moveTo(Math.min(count - 1, Math.max(0, next)))
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
        aria-valuenow={activeIndex ?? 0}
        aria-valuetext={activeIndex === undefined ? hint : describe(activeIndex)}
        onKeyDown={handleKey}
        onClick={() => activeIndex !== undefined && onPick?.(activeIndex)}
      />
      <p className="detail soft" aria-hidden="true">
        {activeIndex === undefined ? hint : describe(activeIndex)}
      </p>
    </>
  )
}

type Library = typeof UPlot

/** The chart library, which is loaded when a chart is shown. */
function useLibrary() {
  const [chartModule, setChartModule] = useState<Library>()
  useEffect(() => {
    let isUnmounted = false
    import('uplot').then(
      ({ default: chartModule }) => isUnmounted || setChartModule(() => chartModule),
      () => {},
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  return chartModule
}

/** Renders the chart, and again when the theme, the size or the data changes. */
function usePlot(
  host: RefObject<HTMLDivElement | null>,
  drawnChart: RefObject<DrawnChart | undefined>,
  draw: Draw,
  setIndex: (at: number | undefined) => void,
) {
  const name = useTheme()
  const chartModule = useLibrary()
  const plotRef = useRef<Plot>(undefined)
  const handleCursor = useEffectEvent(({ cursor, over }: UPlot, plot: Plot) => {
    const { left = -1, top = -1 } = cursor
    if (left < 0) return setIndex(undefined)
    const index = plot.nearest(drawnChart.current!.plot, left, top)
    drawRing(drawnChart.current!.plot, over, plot.pointOf(index))
    setIndex(index)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colors
  useEffect(() => {
    const element = host.current
    if (!chartModule || !element) return
    const theme = themeAt(element)
    const plot = draw(theme, chartModule)
    plotRef.current = plot
    const { options, data } = plot
    const hooks = { ...options.hooks, setCursor: [(chart: UPlot) => handleCursor(chart, plot)] }
    const created = new chartModule({ ...options, hooks, ...sizeOf(element) }, data, element)
    drawnChart.current = { plot: created, theme }
    const observer = new ResizeObserver(() => created.setSize(sizeOf(element)))
    observer.observe(element)
    return () => {
      observer.disconnect()
      created.destroy()
      drawnChart.current = undefined
    }
  }, [chartModule, draw, name])
  return (index: number) => {
    setIndex(index)
    const chart = drawnChart.current?.plot
    const position = plotRef.current?.pointOf(index)
    if (!chart || !position) return
    chart.setCursor(
      { left: chart.valToPos(position.x, 'x'), top: chart.valToPos(position.y, 'y') },
      false,
    )
    drawRing(chart, chart.over, position)
  }
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height })

/** Moves the ring to the described data point. */
function drawRing(plot: UPlot, over: HTMLElement, { x, y }: { x: number; y: number }) {
  let ring = over.querySelector<HTMLElement>('.ring')
  if (!ring) {
    ring = document.createElement('span')
    ring.className = 'ring'
    over.append(ring)
  }
  ring.style.transform = `translate(${plot.valToPos(x, 'x')}px, ${plot.valToPos(y, 'y')}px)`
}
