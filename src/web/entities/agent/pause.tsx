import { shortMoment } from '../../kit/dates.ts'
import { Switch } from '../../kit/field.tsx'
import { rich, t } from '../../messages/t.ts'
import type { Agent } from './descriptions.ts'

type Pause = Pick<Agent, 'paused' | 'paused_by' | 'paused_at'>

interface Props {
  /** The name of the agent or the board, for screen readers. */
  name: string
  of: Pause
  disabled?: boolean
  onChange(paused: boolean): void
}

export const PauseSwitch = ({ name, of: { paused }, disabled = false, onChange }: Props) => (
  <Switch checked={paused} disabled={disabled} onChange={onChange}>
    {t('agent.pause')}
    <span className="unseen"> {name}</span>
  </Switch>
)

/** Who paused it, and since when; empty if it is not paused. */
export const PausedNote = ({ of: { paused_by, paused_at } }: { of: Pause }) => (
  <span role="status">
    {paused_by && paused_at && (
      <span className="soft">
        {rich('agent.paused_by_name_since_time', {
          name: <bdi>{paused_by.name}</bdi>,
          time: <time dateTime={paused_at}>{shortMoment(new Date(paused_at))}</time>,
        })}
      </span>
    )}
  </span>
)
