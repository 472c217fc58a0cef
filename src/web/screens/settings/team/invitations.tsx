import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import type { Me } from '../../../entities/user/me.ts'
import { dueText } from '../../../kit/dates.ts'
import { deleteLater, usePendingDeletes } from '../../../kit/delayed-delete.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { rich, t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { Invite } from './invite.tsx'
import { NAMES, type Team } from './permissions.ts'

type Rows = Output<'invitations.list'>
type State = NonNullable<Input<'invitations.list'>['state']>

const STATES: Record<State, string> = {
  open: t('settings.open'),
  accepted: t('settings.accepted'),
  expired: t('settings.expired'),
  revoked: t('settings.revoked'),
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
    <SettingsSection title={t('settings.invitations')}>
      <Invite team={team} me={me} />
      <div className="states">
        <select
          className="field role"
          aria-label={t('settings.invitation_status')}
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
          {rows?.length === 0 &&
            (state === 'open' ? t('settings.no_open_invitations') : t('settings.none'))}
          {data?.page.has_more && t('settings.only_the_newest_are_shown', { count: PAGE })}
        </span>
      </div>
      <LoadError of={list} what={t('settings.invitations_inline')} />
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
  const until = dueText(expires_at)
  return (
    <li className="person">
      <span className="who">
        <span className="name truncate">{email}</span>
        <span className="soft truncate">
          {NAMES[role]}
          {board && `, ${t('settings.to_board', { board })}`}
          {`, ${t('settings.invited_by_name', { name: invited_by.name })}`}
          {state === 'open' && (
            <>
              {', '}
              {rich('settings.valid_until_short', {
                short: (
                  <time dateTime={expires_at} title={until.full}>
                    {until.short}
                  </time>
                ),
              })}
            </>
          )}
        </span>
        {mail_error ? (
          <span className="form-error">
            {t('settings.email_not_sent_yet_mail_error', { mail_error })}
          </span>
        ) : (
          mailed_at && (
            <span className="soft">
              {t('settings.email_sent_short', { short: dueText(mailed_at).short })}
            </span>
          )
        )}
      </span>
      {state === 'open' && (
        <button type="button" className="button quiet" onClick={onRevoke}>
          {rich('settings.revoke_invitation', {
            the_invitation: (
              <span className="unseen">{t('settings.the_invitation_for_email', { email })}</span>
            ),
          })}
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
    message: t('settings.revoked_the_invitation_for_email', { email }),
    run: () => sendWrite('invitations.revoke', { invitation_id }).finally(reloadInvitations),
  })
}
