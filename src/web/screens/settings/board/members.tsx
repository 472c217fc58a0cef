import { useState } from 'react'
import { patchQuery, useOperation } from '../../../data/cache.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { keyOf } from '../../../entities/user/actor.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { type Member, type PartProps, runWrite } from './data.ts'
import { Invite } from './invite.tsx'
import { MANAGERS_ONLY } from './parts.tsx'

/** Shorter lists need no search. */
const SEARCH_FROM = 20

export default function Members({ board, may }: PartProps) {
  const { project_id, access } = board
  const [text, setText] = useState('')
  const query = { project_id, limit: 50, ...(text.trim() && { search: text.trim() }) }
  const list = useOperation('projects.members', query, { keepPrevious: true })
  const { data } = list
  if (!data) return <LoadError of={list} what={t('settings.members_inline')} />
  const { items, page } = data
  const about =
    access === 'team'
      ? t('settings.the_team_can_see_this_board_owners')
      : t('settings.only_invited_people_and_owners_and_admins')
  return (
    <>
      <SettingsSection
        title={t('settings.members')}
        about={about}
        readOnly={!may.manage && MANAGERS_ONLY}
      >
        {(text || items.length > SEARCH_FROM) && (
          <input
            className="field"
            aria-label={t('settings.find_a_member')}
            placeholder={t('settings.find_a_member')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <ul className="rows" aria-label={t('settings.board_members')}>
          {items.map((one) => (
            <MemberRow
              key={keyOf(one)}
              {...{ member: one, access, query }}
              mayRemove={may.manage && one.kind === 'person' && one.invited}
            />
          ))}
        </ul>
        {page.has_more && <p className="soft">{t('settings.search_by_name_to_find_more')}</p>}
      </SettingsSection>
      {may.manage && <Invite {...{ board }} />}
      <Roles />
    </>
  )
}

type MembersQuery = { project_id: number; limit: number; search?: string }

interface RowProps {
  member: Member
  access: PartProps['board']['access']
  query: MembersQuery
  mayRemove: boolean
}

function MemberRow({ member, access, query, mayRemove }: RowProps) {
  const { name, email, kind } = member
  return (
    <li className="board-row member">
      <div className="first">
        <Avatar actor={member} />
        <span className="who">
          <span dir="auto">{name}</span>
          {email && <span className="soft">{email}</span>}
        </span>
        <span className="soft">
          {[kind === 'agent' ? 'agent' : member.role, accessReason(member, access)].join(', ')}
        </span>
        {mayRemove && (
          <button
            type="button"
            className="button quiet only"
            onClick={() => void remove(query, member, access)}
          >
            <Icon name="close" label={t('settings.remove_name_from_the_board', { name })} />
          </button>
        )}
      </div>
    </li>
  )
}

function accessReason({ kind, invited, role }: Member, access: string) {
  if (kind === 'agent') return invited ? t('settings.for_this_board') : t('settings.with_its_owner')
  if (invited) return t('settings.invited')
  return access === 'team' || role ? t('settings.by_role') : ''
}

/** Removes an invitation. People who see the board by role keep access. */
function remove(query: MembersQuery, member: Member, access: string) {
  const { project_id } = query
  const { name, user_id, role } = member
  const keepsAccess =
    role === 'owner' || role === 'admin' || (role === 'member' && access === 'team')
  return runWrite({
    change: () =>
      patchQuery('projects.members', query, (all) => ({
        ...all,
        items: all.items.flatMap((one) =>
          one.user_id === user_id ? (keepsAccess ? { ...one, invited: false } : []) : one,
        ),
      })),
    send: () => sendWrite('projects.remove_member', { project_id, user_id: user_id! }),
    message: t('settings.removed_name_from_the_board', { name }),
    undo: () => sendWrite('projects.invite_member', { project_id, member_identifier: user_id! }),
  })
}

const ROLES = [
  [t('settings.owner_admin'), t('settings.see_and_change_every_board_of_the')],
  [t('settings.member'), t('settings.sees_the_boards_of_the_team_works')],
  [t('settings.guest'), t('settings.works_on_the_tasks_of_boards_they')],
  [t('settings.agent'), t('settings.sees_what_its_owner_sees_and_can')],
] as const

const Roles = () => (
  <SettingsSection title={t('settings.what_each_role_can_do')}>
    <dl className="roles">
      {ROLES.map(([role, about]) => (
        <div key={role}>
          <dt>{role}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
    <p className="soft">{t('settings.the_person_who_created_a_board_can')}</p>
  </SettingsSection>
)
