import { Suspense, useRef, useState } from 'react'
import { clock } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { part } from '../parts/part.ts'
import type { useProfile } from './own.ts'
import { Row } from './parts.tsx'
import type { PartProps } from './screen.tsx'

const ZonePick = part(() => import('./zone-pick.tsx'))
const here = Intl.DateTimeFormat().resolvedOptions().timeZone
const nameOf = (zone: string) => zone.replaceAll('_', ' ')

interface Props extends Pick<PartProps, 'me'> {
  choose: ReturnType<typeof useProfile>['choose']
}

/** In which zone days begin and clocks are read; that of the browser is proposed. */
export function ZoneRow({ me, choose }: Props) {
  const { time_zone } = me.profile
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const pick = (zone: string) =>
    choose({ time_zone: zone }, `Times are now those of ${nameOf(zone)}`)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <Row label="Time zone" hint={`When a day begins for you. It is ${clock(new Date())} there.`}>
      <button
        ref={button}
        type="button"
        className="button plain pick"
        aria-label={`Time zone: ${nameOf(time_zone)}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onFocus={() => void ZonePick.ahead()}
        onClick={() => setOpen(true)}
      >
        {nameOf(time_zone)}
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <Suspense>
          <ZonePick value={time_zone} anchor={button.current} onPick={pick} onClose={close} />
        </Suspense>
      )}
      {here !== time_zone && (
        <button type="button" className="button plain" onClick={() => pick(here)}>
          Use {nameOf(here)}, where this browser is
        </button>
      )}
    </Row>
  )
}
