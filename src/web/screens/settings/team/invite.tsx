import { useState } from 'react'
import { cache, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import type { Me } from '../../../entities/user/me.ts'
import { Copy } from '../../../kit/copy.tsx'
import { errorText } from '../../../kit/errors.ts'
import { assignableRoles, NAMES, type Role, type Team } from './permissions.ts'

type CreatedInvitation = Output<'invitations.create'>

/** Invites somebody; the link is shown once. */
export function Invite({ team, me }: { team: Team; me: Me }) {
  const [created, setCreated] = useState<CreatedInvitation>()
  if (created) return <InvitationLink made={created} onClose={() => setCreated(undefined)} />
  return <Form team={team} me={me} onMade={setCreated} />
}

function useInviteForm(team_id: number, onCreate: (made: CreatedInvitation) => void) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [board, setBoard] = useState('')
  const [error, setError] = useState('')
  const { act, busy } = useOperationMutation('invitations.create', {
    onDone(one) {
      void cache.invalidateQueries({ queryKey: ['invitations.list'] })
      onCreate(one)
    },
    onFailed: (failure) => setError(errorText(failure)),
  })
  const send = () => {
    setError('')
    const project_id = Number(board)
    act({ team_id, email: email.trim(), role, ...(project_id > 0 && { project_id }) })
  }
  return { email, setEmail, role, setRole, board, setBoard, error, busy, send }
}

function Form({ team, me, onMade }: { team: Team; me: Me; onMade(made: CreatedInvitation): void }) {
  const { team_id } = team
  const { email, setEmail, role, setRole, board, setBoard, error, busy, send } = useInviteForm(
    team_id,
    onMade,
  )
  return (
    <form
      className="naming"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label>
        <span>Email</span>
        <input
          type="email"
          className="field"
          required
          maxLength={254}
          placeholder="kim@example.com"
          aria-invalid={error !== ''}
          aria-describedby={error ? 'invite-wrong' : undefined}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </label>
      <Roles {...{ team, role }} onPick={setRole} />
      <Board {...{ me, team_id, board }} isNeeded={role === 'guest'} onPick={setBoard} />
      <button type="submit" className="button main" disabled={busy || !email.trim()}>
        Invite
      </button>
      {error && (
        <p className="wrong" id="invite-wrong" role="alert">
          {error}
        </p>
      )}
    </form>
  )
}

interface RolesProps {
  team: Team
  role: Role
  onPick(role: Role): void
}

const Roles = ({ team, role, onPick }: RolesProps) => (
  <label className="short">
    <span>Role</span>
    <select className="field" value={role} onChange={({ target }) => onPick(target.value as Role)}>
      {assignableRoles(team.role).map((one) => (
        <option key={one} value={one}>
          {NAMES[one]}
        </option>
      ))}
    </select>
  </label>
)

interface BoardProps {
  me: Me
  team_id: number
  board: string
  /** Guests need a board, because they only see boards they were invited to. */
  isNeeded: boolean
  onPick(board: string): void
}

function Board({ me, team_id, board, isNeeded, onPick }: BoardProps) {
  const boards = me.boards.filter((one) => one.team_id === team_id)
  if (!boards.length) return null
  return (
    <label className="short">
      <span>Board</span>
      <select
        className="field"
        required={isNeeded}
        value={board}
        onChange={({ target }) => onPick(target.value)}
      >
        <option value="">{isNeeded ? 'Select a board' : 'No specific board'}</option>
        {boards.map(({ project_id, title }) => (
          <option key={project_id} value={project_id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

function InvitationLink({ made, onClose }: { made: CreatedInvitation; onClose(): void }) {
  const { email, link, mailed } = made
  return (
    <div className="made" role="status">
      <p>
        <b>{email}</b> is invited.{' '}
        {mailed
          ? 'They also get an email with a link.'
          : 'Email is not set up on this server, so send them the link yourself.'}{' '}
        The link is shown only once and is valid for a week.
      </p>
      <Copy label={`Link for ${email}`} text={link} />
      <button type="button" className="button plain" onClick={onClose}>
        Invite somebody else
      </button>
    </div>
  )
}
