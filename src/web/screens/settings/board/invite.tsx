import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Copy } from '../../../kit/copy.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { PickOne } from '../../../kit/pick.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { rich, t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import type { Board } from './data.ts'
import { AddForm } from './parts.tsx'

type InviteResult = Output<'projects.invite_member'>

/** Invites somebody: a team member is added at once, others get a link. */
export function Invite({ board }: { board: Board }) {
  const { project_id, team_id } = board
  const [invitation, setInvitation] = useState<InviteResult & { email: string }>()
  const invite = async (member_identifier: number | string): Promise<boolean> => {
    try {
      const result = await sendWrite('projects.invite_member', { project_id, member_identifier })
      void cache.invalidateQueries({ queryKey: ['projects.members'] })
      if (result.status === 'invited')
        setInvitation({ ...result, email: String(member_identifier) })
      else announce(project_id, result)
      return true
    } catch (error) {
      showError(error)
      return false
    }
  }
  return (
    <SettingsSection
      title={t('settings.invite_people')}
      about={t('settings.team_members_get_access_at_once_everyone')}
    >
      <Teammate {...{ project_id, team_id }} onPick={(user_id) => void invite(user_id)} />
      <AddForm
        label={t('settings.email_to_invite')}
        placeholder={t('settings.name_example_com')}
        submitLabel={t('settings.invite_by_email')}
        maxLength={254}
        onAdd={invite}
      />
      {invitation?.link && (
        <div className="one-time" role="status">
          <p>
            {rich('settings.email_can_join_with_this_link', {
              email: <strong>{invitation.email}</strong>,
            })}{' '}
            {invitation.mailed && t('settings.it_was_also_emailed_to_them')}
          </p>
          <Copy
            label={t('settings.link_for_email', { email: invitation.email })}
            text={invitation.link}
          />
          <button type="button" className="button quiet" onClick={() => setInvitation(undefined)}>
            {t('common.finish')}
          </button>
        </div>
      )}
    </SettingsSection>
  )
}

function announce(project_id: number, { status, name, user_id }: InviteResult) {
  if (status === 'already_member') return showToast(t('settings.name_is_already_invited', { name }))
  showToast(t('settings.added_name_to_the_board', { name }), () => {
    sendWrite('projects.remove_member', { project_id, user_id: user_id! }).catch(showError)
  })
}

interface TeammateProps {
  project_id: number
  team_id: number
  onPick(user_id: number): void
}

/** Picks a team member who was not invited yet. */
function Teammate({ project_id, team_id, onPick }: TeammateProps) {
  const list = useOperation('teams.members', { team_id, kind: 'person', limit: 50 })
  const team = list.data?.items ?? []
  const boardMembers = useOperation('projects.members', { project_id, limit: 50 }).data?.items ?? []
  const invitedIds = new Set(
    boardMembers.filter((one) => one.invited).map(({ user_id }) => user_id),
  )
  const choices = team
    .filter(({ user_id }) => !invitedIds.has(user_id))
    .map((one) => ({
      value: one.user_id!,
      name: `${one.name}, ${one.role}`,
      mark: <Avatar actor={one} />,
    }))
  if (!choices.length) return <LoadError of={list} what={t('settings.the_team_inline')} />
  return (
    <PickOne
      label={t('settings.team_member')}
      value={null}
      choices={choices}
      onPick={onPick}
      trigger={
        <button type="button" className="button plain" aria-label={t('settings.add_team_member')}>
          <Icon name="mine" />
          {t('settings.add_team_member')}
        </button>
      }
    />
  )
}
