import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import type { Me } from '../../../entities/user/me.ts'
import { dueWords } from '../../../kit/dates.ts'
import { deleteLater, usePendingDeletes } from '../../../kit/delayed-delete.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { SettingsSection } from '../parts.tsx'
import { Invite } from './invite.tsx'
import { NAMES, type Team } from './permissions.ts'

type Rows = Output<'invitations.list'>
type State = NonNullable<Input<'invitations.list'>['state']>

const STATES: Record<State, string> = {
  open: 'Open',
  accepted: 'Accepted',
  expired: 'Expired',
  revoked: 'Revoked',
}
const PAGE = 50

/** The invitations of a team, and a form for new ones. */
export function Invitations({ team, me }: { team: Team; me: Me }) {
  const [state, setState] = useState<State>('open')
  const input = { team_id: team.team_id, state, limit: PAGE }
  const list = useOperation('invitations.list', input, { keepPrevious: true })
  const { data } = list
  const pending = usePendingDeletes()
  const rows = data?.items.filter(
    (one) => one.state !== 'open' || !pending.has(pendingDeleteName(one)),
  )
  return (
    <SettingsSection title="Invitations">
      <Invite team={team} me={me} />
      <div className="states">
        <select
          className="field role"
          aria-label="Invitation status"
          value={state}
          onChange={({ target }) => setState(target.value as State)}
        >
          {(Object.keys(STATES) as State[]).map((one) => (
            <option key={one} value={one}>
              {STATES[one]}
            </option>
          ))}
        </select>
        <span className="soft">
          {rows?.length === 0 && (state === 'open' ? 'No open invitations.' : 'None.')}
          {data?.page.has_more && `Only the newest ${PAGE} are shown.`}
        </span>
      </div>
      <LoadError of={list} what="invitations" />
      <ul className="people">
        {rows?.map((one) => (
          <InvitationRow
            key={one.invitation_id}
            invitation={one}
            me={me}
            onRevoke={() => revoke(one)}
          />
        ))}
      </ul>
    </SettingsSection>
  )
}

type Invitation = Rows['items'][number]
const pendingDeleteName = ({ invitation_id }: Invitation) => `invitation ${invitation_id}`
const reloadInvitations = () => void cache.invalidateQueries({ queryKey: ['invitations.list'] })

interface InvitationRowProps {
  invitation: Invitation
  me: Me
  onRevoke(): void
}

function InvitationRow({ invitation, me, onRevoke }: InvitationRowProps) {
  const { email, role, state, project_id, invited_by, expires_at, mailed_at, mail_error } =
    invitation
  const board = me.boards.find((one) => one.project_id === project_id)?.title
  const until = dueWords(expires_at)
  return (
    <li className="person">
      <span className="who">
        <span className="name truncate">{email}</span>
        <span className="soft truncate">
          {NAMES[role]}
          {board && `, to ${board}`}, invited by {invited_by.name}
          {state === 'open' && (
            <>
              , valid until{' '}
              <time dateTime={expires_at} title={until.full}>
                {until.short}
              </time>
            </>
          )}
        </span>
        {mail_error ? (
          <span className="form-error">Email not sent yet: {mail_error}</span>
        ) : (
          mailed_at && <span className="soft">Email sent {dueWords(mailed_at).short}</span>
        )}
      </span>
      {state === 'open' && (
        <button type="button" className="button quiet" onClick={onRevoke}>
          Revoke<span className="unseen"> the invitation for {email}</span>
        </button>
      )}
    </li>
  )
}

/** Revoking cannot be undone, so the request is sent only after the undo time has passed. */
function revoke(invitation: Invitation) {
  const { invitation_id, email } = invitation
  deleteLater({
    what: pendingDeleteName(invitation),
    message: `Revoked the invitation for ${email}`,
    run: () => sendWrite('invitations.revoke', { invitation_id }).finally(reloadInvitations),
  })
}
