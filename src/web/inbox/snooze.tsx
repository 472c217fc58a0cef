import { MORNING, snoozes } from '../parts/moments.ts'
import { PickWhen } from '../parts/when.tsx'

interface Props {
  /** Beside this. */
  anchor: Element | null
  onClose(): void
  onPick(until: string): void
}

/** Until when a task is put off. */
const Snooze = ({ anchor, onClose, onPick }: Props) => (
  <PickWhen
    {...{ label: 'Snooze until', value: null, timed: true, hour: MORNING, usual: snoozes() }}
    {...{ anchor, open: true }}
    onOpen={(open) => !open && onClose()}
    onPick={(until) => until && onPick(until)}
  />
)
export default Snooze
