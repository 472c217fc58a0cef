import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import type { Zoom } from './scale.ts'
import type { TimelineViewport } from './use-viewport.ts'

const NAMES: Record<Zoom, string> = {
  days: t('board.days'),
  weeks: t('board.weeks'),
  months: t('board.months'),
}
const ZOOMS = ['days', 'weeks', 'months'] as const

/** The zoom level, kept in the address. */
export function useZoom({ updateAddress }: BoardQuery) {
  const [zoom, setZoom] = useState<Zoom>(
    () =>
      ZOOMS.find((option) => option === new URLSearchParams(location.search).get('zoom')) ??
      'weeks',
  )
  const write = useEffectEvent(() =>
    updateAddress((query) => (zoom === 'weeks' ? query.delete('zoom') : query.set('zoom', zoom))),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the zoom changes
  useEffect(() => write(), [zoom])
  return { zoom, setZoom }
}

interface Props {
  zoom: Zoom
  setZoom(zoom: Zoom): void
  viewport: TimelineViewport
}

export const Zooms = ({ zoom, setZoom, viewport }: Props) => (
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
    <fieldset className="choices segments" aria-label={t('board.zoom')}>
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
