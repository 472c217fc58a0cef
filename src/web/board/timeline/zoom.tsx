import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import type { Look } from '../look.ts'
import type { Zoom } from './scale.ts'
import type { Sheet } from './use-sheet.ts'

const NAMES: Record<Zoom, string> = { days: 'Days', weeks: 'Weeks', months: 'Months' }
const ZOOMS = ['days', 'weeks', 'months'] as const

/** How much time is seen at once; it stands in the address. */
export function useZoom({ put }: Look) {
  const [zoom, setZoom] = useState<Zoom>(
    () => ZOOMS.find((one) => one === new URLSearchParams(location.search).get('zoom')) ?? 'weeks',
  )
  const write = useEffectEvent(() =>
    put((query) => (zoom === 'weeks' ? query.delete('zoom') : query.set('zoom', zoom))),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another is chosen
  useEffect(() => write(), [zoom])
  return { zoom, setZoom }
}

interface Props {
  zoom: Zoom
  setZoom(zoom: Zoom): void
  sheet: Sheet
}

export const Zooms = ({ zoom, setZoom, sheet }: Props) => (
  <div className="time-head">
    <span className="steps">
      <button type="button" className="button quiet only back" onClick={() => sheet.page(-1)}>
        <Icon name="chevron" label="Earlier" />
      </button>
      <button type="button" className="button plain" onClick={() => sheet.toToday()}>
        Today
      </button>
      <button type="button" className="button quiet only" onClick={() => sheet.page(1)}>
        <Icon name="chevron" label="Later" />
      </button>
    </span>
    <fieldset className="choices" aria-label="How much is seen">
      {ZOOMS.map((one) => (
        <button
          key={one}
          type="button"
          className="button quiet"
          aria-pressed={zoom === one}
          onClick={() => setZoom(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </fieldset>
  </div>
)
