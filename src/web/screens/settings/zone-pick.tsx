import { PickOne } from '../../kit/pick.tsx'
import { t } from '../../messages/t.ts'

/** At most this many zones are listed; others are found by typing. */
const MAX_SHOWN = 60

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = [...new Set([browserZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(
  (value) => ({
    ...{ value, name: value.replaceAll('_', ' ') },
  }),
)

interface Props {
  value: string
  anchor: HTMLElement | null
  onPick(zone: string): void
  onClose(): void
}

/** Picks a time zone. */
export default function ZonePick({ value, anchor, onPick, onClose }: Props) {
  return (
    <PickOne
      label={t('settings.time_zone')}
      value={value}
      choices={zones}
      limit={MAX_SHOWN}
      open
      anchor={anchor}
      onOpen={(open) => open || onClose()}
      onPick={onPick}
    />
  )
}
