import { Link } from 'wouter'
import { errorText } from '../../kit/errors.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'

interface Props {
  state: 'active' | 'inactive' | 'archived'
  canCreate: boolean
}

/** The empty state, with the next step. */
export function Empty({ state, canCreate }: Props) {
  if (state !== 'active')
    return (
      <p className="agents-none">
        {state === 'inactive'
          ? 'No agents are switched off. An agent that is switched off keeps its token, but is refused until it is switched on again.'
          : 'No archived agents. An archived agent has no token and is hidden from lists.'}
      </p>
    )
  return (
    <div className="agents-none">
      <h2>No agents yet</h2>
      <p className="soft">
        Claude Code, Cursor and any other MCP client can work on your boards, each under its own
        name, so that you always see who did what.
      </p>
      {canCreate ? (
        <Link href="/agents?connect=" className="button plain">
          Connect your agent
        </Link>
      ) : (
        <p>Ask a member of the team to connect one.</p>
      )}
    </div>
  )
}

const ROWS = [1, 2, 3, 4]

/** A placeholder while the content loads. */
export const ListSkeleton = () => (
  <div className="agents-shape" role="status">
    <span className="unseen">Loading…</span>
    {ROWS.map((row) => (
      <i key={row} />
    ))}
  </div>
)

interface MissingProps {
  what: string
  error: Error
  isUnknown: boolean
}

export const Missing = ({ what, error, isUnknown }: MissingProps) => (
  <div className="agents-none" role="alert">
    <h1>
      {isUnknown
        ? `${what.charAt(0).toUpperCase()}${what.slice(1)} not found`
        : `Could not load the ${what}`}
    </h1>
    <p>
      {isUnknown
        ? 'It may have been deleted, or you may not have access to its board or team.'
        : errorText(error)}
    </p>
    <RecoveryAction {...{ isUnknown, error }} />
  </div>
)
