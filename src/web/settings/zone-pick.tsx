import { PickOne } from '../parts/pick.tsx'

/** Far fewer than there are, as nobody reads more of them: who looks for one types. */
const MOST = 60

const here = Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = [...new Set([here, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  ...{ value, name: value.replaceAll('_', ' ') },
}))

interface Props {
  value: string
  anchor: HTMLElement | null
  onPick(zone: string): void
  onClose(): void
}

/** All the zones there are, found by typing. */
export default function ZonePick({ value, anchor, onPick, onClose }: Props) {
  return (
    <PickOne
      label="Time zone"
      value={value}
      choices={zones}
      most={MOST}
      open
      anchor={anchor}
      onOpen={(open) => open || onClose()}
      onPick={onPick}
    />
  )
}
