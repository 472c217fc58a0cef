import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import type { BoardQuery } from '../board-query.ts'
import type { Zoom } from './scale.ts'
import type { TimelineViewport } from './use-viewport.ts'

const NAMES: Record<Zoom, string> = { days: 'Days', weeks: 'Weeks', months: 'Months' }
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
        <Icon name="chevron" label="Earlier" />
      </button>
      <button type="button" className="button plain" onClick={() => viewport.toToday()}>
        Today
      </button>
      <button type="button" className="button quiet only" onClick={() => viewport.page(1)}>
        <Icon name="chevron" label="Later" />
      </button>
    </span>
    <fieldset className="choices segments" aria-label="Zoom">
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
