import { Link } from 'wouter'
import { errorText } from '../data/client.ts'
import { RecoveryAction } from '../parts/recovery-action.tsx'

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
          ? 'No agent is switched off. One that is keeps its token, and is refused until it is switched on again.'
          : 'No agent is archived. One that is has no token, and lists leave it out.'}
      </p>
    )
  return (
    <div className="agents-none">
      <h2>No agent works here yet</h2>
      <p className="soft">
        Claude Code, Cursor and any other program that speaks MCP can work on your boards: each
        under its own name, so that you always see who did what.
      </p>
      {canCreate ? (
        <Link href="/agents?connect=" className="button plain">
          Connect your agent
        </Link>
      ) : (
        <p>Ask one of the members of the team to connect one.</p>
      )}
    </div>
  )
}

const ROWS = [1, 2, 3, 4]

/** A placeholder while the content loads. */
export const ListSkeleton = () => (
  <div className="agents-shape" role="status">
    <span className="unseen">Loading</span>
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
    <h1>{isUnknown ? `There is no such ${what} here` : `The ${what} cannot be shown`}</h1>
    <p>
      {isUnknown
        ? 'It may have been deleted, or be on a board or in a team that is not yours.'
        : errorText(error)}
    </p>
    <RecoveryAction {...{ isUnknown, error }} />
  </div>
)
