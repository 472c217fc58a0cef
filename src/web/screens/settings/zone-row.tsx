import { Suspense, useRef, useState } from 'react'
import { clock } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { t } from '../../messages/t.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow } from './parts.tsx'
import type { useProfile } from './profile-update.ts'

const ZonePick = lazyComponent(() => import('./zone-pick.tsx'))
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const zoneName = (zone: string) => zone.replaceAll('_', ' ')

interface Props extends Pick<PartProps, 'me'> {
  choose: ReturnType<typeof useProfile>['choose']
}

/** The user's time zone; suggests the browser's. */
export function ZoneRow({ me, choose }: Props) {
  const { time_zone } = me.profile
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const pick = (zone: string) =>
    choose(
      { time_zone: zone },
      t('settings.changed_your_time_zone_to_zonename', { zoneName: zoneName(zone) }),
    )
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <SettingRow
      label={t('settings.time_zone')}
      hint={t('settings.sets_when_your_day_begins_it_is', { clock: clock(new Date()) })}
    >
      <button
        ref={button}
        type="button"
        className="button plain pick"
        aria-label={t('settings.time_zone_zonename', { zoneName: zoneName(time_zone) })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onFocus={() => void ZonePick.preload()}
        onClick={() => setOpen(true)}
      >
        {zoneName(time_zone)}
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <Suspense>
          <ZonePick value={time_zone} anchor={button.current} onPick={pick} onClose={close} />
        </Suspense>
      )}
      {browserZone !== time_zone && (
        <button type="button" className="button plain" onClick={() => pick(browserZone)}>
          {t('settings.use_zonename_from_this_browser', { zoneName: zoneName(browserZone) })}
        </button>
      )}
    </SettingRow>
  )
}
