import type { Input } from '../data/client.ts'
import './forms.css'

type Kinds = NonNullable<Input<'mail.update'>['kinds']>
type Kind = Kinds[number]

/** The kinds of notifications, most urgent first. */
const NAMES: Record<Kind, string> = {
  escalated: 'An agent hands something over to you',
  decision_requested: 'Somebody asks you to decide',
  decision_answered: 'A question of yours is decided',
  mentioned: 'Somebody mentions you',
  replied: 'Somebody replies to you',
  assigned: 'A task is assigned to you',
  unassigned: 'A task is no longer yours',
  moved_to_inbox: 'Somebody puts a task into your inbox',
  overdue: 'A task of yours is overdue',
  due_soon: 'A task of yours is due soon',
  commented: 'Somebody comments on a task of yours',
  reacted: 'Somebody reacts to what you wrote',
  run_finished: 'An agent has finished its work',
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
      <form>
        <fieldset className="many">
          <legend className="unseen">What is mailed</legend>
          {(Object.keys(NAMES) as Kind[]).map((kind) => {
            const isSelected = kinds.includes(kind)
            return (
              <label key={kind} className="tick">
                <input
                  type="checkbox"
                  checked={isSelected}
                  // At least one kind stays selected; to get none, email is turned off.
                  disabled={isSelected && kinds.length === 1}
                  onChange={({ target }) => toggle(kind, target.checked)}
                />
                {NAMES[kind]}
              </label>
            )
          })}
        </fieldset>
      </form>
      <div className="deeds">
        <button type="button" className="button plain" onClick={() => change(null)}>
          Only what is important
        </button>
      </div>
    </>
  )
}
