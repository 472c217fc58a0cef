import type { Input } from '../../data/client.ts'
import { Check } from '../../kit/field.tsx'

type Kinds = NonNullable<Input<'mail.update'>['kinds']>
type Kind = Kinds[number]

/** The kinds of notifications, most urgent first. */
const NAMES: Record<Kind, string> = {
  escalated: 'An agent needs your input',
  decision_requested: 'Somebody asks you for a decision',
  decision_answered: 'Your decision request is answered',
  mentioned: 'Somebody mentions you',
  replied: 'Somebody replies to you',
  assigned: 'A task is assigned to you',
  unassigned: 'You are unassigned from a task',
  moved_to_inbox: 'Somebody adds a task to your inbox',
  overdue: 'One of your tasks is overdue',
  due_soon: 'One of your tasks is due soon',
  commented: 'Somebody comments on one of your tasks',
  reacted: 'Somebody reacts to your comment',
  run_finished: 'An agent finishes a run',
}

interface Props {
  kinds: Kinds
  /** Null selects the important kinds. */
  change(kinds: Kinds | null): void
}

export function KindsForm({ kinds, change }: Props) {
  const toggle = (kind: Kind, isSelected: boolean) =>
    change(isSelected ? [...kinds, kind] : kinds.filter((one) => one !== kind))
  return (
    <>
      <fieldset className="many">
        <legend className="unseen">Send email for</legend>
        {(Object.keys(NAMES) as Kind[]).map((kind) => {
          const isSelected = kinds.includes(kind)
          return (
            <Check
              key={kind}
              checked={isSelected}
              // At least one kind stays selected; to get none, email is turned off.
              disabled={isSelected && kinds.length === 1}
              onChange={(checked) => toggle(kind, checked)}
            >
              {NAMES[kind]}
            </Check>
          )
        })}
      </fieldset>
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={() => change(null)}>
          Important only
        </button>
      </div>
    </>
  )
}
