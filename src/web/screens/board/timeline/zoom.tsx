import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import { ColorMenu } from '../colors/color-menu.tsx'
import type { TaskColors } from '../colors/use-task-colors.ts'
import { clampWidth, DAY_WIDTHS, type Zoom, zoomAt } from './scale.ts'
import type { TimelineViewport } from './use-viewport.ts'

const NAMES: Record<Zoom, string> = {
  days: t('board.days'),
  weeks: t('board.weeks'),
  months: t('board.months'),
}
const ZOOMS = ['days', 'weeks', 'months'] as const

/** The width of a day, and the zoom level that it stands for, which the address contains. */
export function useZoom({ updateAddress }: BoardQuery) {
  const [width, setWidth] = useState(() => {
    const param = new URLSearchParams(location.search).get('zoom')
    return DAY_WIDTHS[ZOOMS.find((option) => option === param) ?? 'weeks']
  })
  const zoom = zoomAt(width)
  const write = useEffectEvent(() =>
    updateAddress((query) => (zoom === 'weeks' ? query.delete('zoom') : query.set('zoom', zoom))),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the zoom changes
  useEffect(() => write(), [zoom])
  const setZoom = (next: Zoom) => setWidth(DAY_WIDTHS[next])
  const zoomBy = (factor: number) => setWidth((before) => clampWidth(before * factor))
  return { width, zoom, setZoom, zoomBy }
}

interface Props {
  zoom: Zoom
  setZoom(zoom: Zoom): void
  viewport: TimelineViewport
  colors: TaskColors
}

export const Zooms = ({ zoom, setZoom, viewport, colors }: Props) => (
  <div className="time-head">
    <span className="segments">
      <button type="button" className="button quiet only back" onClick={() => viewport.page(-1)}>
        <Icon name="chevron" label={t('board.earlier')} />
      </button>
      <button type="button" className="button plain" onClick={() => viewport.toToday()}>
        {t('common.today')}
      </button>
      <button type="button" className="button quiet only" onClick={() => viewport.page(1)}>
        <Icon name="chevron" label={t('board.later')} />
      </button>
    </span>
    <ColorMenu {...colors} />
    <fieldset
      className="choices segments"
      aria-label={t('board.zoom')}
      title={t('board.zoom_with_ctrl_and_the_wheel')}
    >
      {ZOOMS.map((option) => (
        <button
          key={option}
          type="button"
          className="button quiet"
          aria-pressed={zoom === option}
          onClick={() => setZoom(option)}
        >
          {NAMES[option]}
        </button>
      ))}
    </fieldset>
  </div>
)
