import { MORNING, snoozePresets } from '../../kit/date-presets.ts'
import { PickWhen } from '../../kit/when.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  /** The element that the picker opens at. */
  anchor: Element | null
  onClose(): void
  onPick(until: string): void
}

/** Picks when a snoozed task returns. */
const Snooze = ({ anchor, onClose, onPick }: Props) => (
  <PickWhen
    {...{
      label: t('common.snooze_until'),
      value: null,
      allowsTime: true,
      defaultTime: MORNING,
      presets: snoozePresets(),
    }}
    {...{ anchor, open: true }}
    onOpen={(open) => !open && onClose()}
    onPick={(until) => until && onPick(until)}
  />
)
export default Snooze
