import { useState } from 'react'
import { cache, useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { noteOrigin, returnToOrigin } from '../../../kit/field-origin.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { rich, t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { assignableRoles, hasScope, NAMES, type Role, type Team } from './permissions.ts'

type Rows = Output<'teams.members'>
type Member = Rows['items'][number]

const PAGE = 50

interface Props {
  team: Team
  me: number | undefined
}

/** The people of a team with their roles. */
export function Members({ team, me }: Props) {
  const [query, setQuery] = useState('')
  const text = query.trim()
  const first = {
    team_id: team.team_id,
    kind: 'person' as const,
    limit: PAGE,
    ...(text && { query: text }),
  }
  const { data } = useOperation('teams.members', first, { keepPrevious: true })
  return (
    <SettingsSection
      title={rich('settings.people_value', {
        value: <span className="count">{data?.page.total ?? ''}</span>,
      })}
    >
      {(text || data?.page.has_more) && (
        <input
          type="search"
          onFocus={noteOrigin}
          onKeyDown={({ key, currentTarget }) =>
            key === 'Escape' && !currentTarget.value && returnToOrigin(currentTarget)
          }
          className="field"
          aria-label={t('settings.find_a_person')}
          placeholder={t('settings.find_a_person')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      )}
      <ul className="people">
        <Page team={team} me={me} input={first} />
      </ul>
    </SettingsSection>
  )
}

type MembersQuery = Parameters<typeof useOperation<'teams.members'>>[1]

function Page({ team, me, input }: Props & { input: MembersQuery }) {
  const [showsMore, setShowsMore] = useState(false)
  const list = useOperation('teams.members', input, { keepPrevious: true })
  const { data } = list
  if (!data)
    return (
      <li>
        <LoadError of={list} what={t('settings.people')} />
      </li>
    )
  const { items, page } = data
  const owners = items.filter(({ role }) => role === 'owner').length
  return (
    <>
      {items.map((one) => (
        <MemberRow
          key={one.user_id}
          {...{ team, me, member: one }}
          isLastOwner={one.role === 'owner' && owners === 1 && !page.has_more}
        />
      ))}
      {page.next_cursor &&
        (showsMore ? (
          <Page team={team} me={me} input={{ ...input, cursor: page.next_cursor }} />
        ) : (
          <li>
            <button type="button" className="button quiet" onClick={() => setShowsMore(true)}>
              {t('common.show_more')}
            </button>
          </li>
        ))}
    </>
  )
}

interface MemberRowProps extends Props {
  member: Member
  isLastOwner: boolean
}

function MemberRow({ team, me, member, isLastOwner }: MemberRowProps) {
  const { name, email, role = 'guest', user_id = 0 } = member
  const isMe = user_id === me
  const isManager = hasScope(team.role, 'teams:manage')
  const canChange = isManager && (role !== 'owner' || team.role === 'owner')
  return (
    <li className="person">
      <span aria-hidden="true">
        <Avatar actor={{ kind: 'person', user_id, name }} />
      </span>
      <span className="who">
        <span className="name truncate" dir="auto">
          {name}
          {isMe && <span className="soft"> {t('settings.you')}</span>}
        </span>
        {email && <span className="soft truncate">{email}</span>}
      </span>
      {canChange ? (
        <RoleSelect {...{ team, member, isMe, isLastOwner }} />
      ) : (
        <span className="soft role">{NAMES[role]}</span>
      )}
      {isManager &&
        (canChange && !isMe ? <RemoveMember {...{ team, member }} /> : <i className="gap" />)}
    </li>
  )
}

/** Changes a role in every cached list of members. */
function patchRole(team_id: number, user_id: number, role: Role) {
  const listed = { queryKey: ['teams.members', { team_id }] }
  for (const [key, rows] of cache.getQueriesData<Rows>(listed))
    if (rows)
      cache.setQueryData<Rows>(key, {
        ...rows,
        items: rows.items.map((one) => (one.user_id === user_id ? { ...one, role } : one)),
      })
  return () => void cache.invalidateQueries(listed)
}

interface RoleProps extends Pick<MemberRowProps, 'team' | 'member' | 'isLastOwner'> {
  isMe: boolean
}

function RoleSelect({ team, member, isMe, isLastOwner }: RoleProps) {
  const [roleToConfirm, setRoleToConfirm] = useState<Role>()
  const { team_id, role: ownRole } = team
  const { user_id = 0, name, role = 'guest' } = member
  const { mutateAsync } = useOperationMutation('teams.set_role', {
    optimistic: (input) => patchRole(team_id, user_id, input.role),
  })
  const set = async (next: Role) => {
    await mutateAsync({ team_id, user_id, role: next })
    const undo = () => void mutateAsync({ team_id, user_id, role }).catch(showError)
    showToast(`${name}: ${NAMES[next]}`, isMe ? undefined : undo)
  }
  return (
    <>
      <select
        className="field role"
        aria-label={t('settings.role_of_name', { name })}
        value={role}
        disabled={isLastOwner}
        title={isLastOwner ? t('settings.a_team_needs_an_owner_make_somebody') : undefined}
        onChange={({ target }) => {
          const next = target.value as Role
          // Users cannot undo giving up their own role, so this asks for confirmation.
          if (isMe) setRoleToConfirm(next)
          else void set(next).catch(showError)
        }}
      >
        {assignableRoles(ownRole).map((one) => (
          <option key={one} value={one}>
            {NAMES[one]}
          </option>
        ))}
      </select>
      {roleToConfirm && (
        <ConfirmOwnRole
          {...{ team, role: roleToConfirm }}
          onConfirm={() => set(roleToConfirm)}
          onClose={() => setRoleToConfirm(undefined)}
        />
      )}
    </>
  )
}

interface ConfirmOwnRoleProps {
  team: Team
  role: Role
  onConfirm(): Promise<void>
  onClose(): void
}

const ConfirmOwnRole = ({ team, role, ...rest }: ConfirmOwnRoleProps) => (
  <ConfirmDialog
    {...rest}
    title={t('settings.become_role', { role })}
    submitLabel={t('settings.change_my_role')}
  >
    <p>
      {t('settings.you_lose_the_rights_of_role_of_name', {
        role: team.role,
        name: team.name,
      })}
    </p>
  </ConfirmDialog>
)

function RemoveMember({ team, member }: Pick<MemberRowProps, 'team' | 'member'>) {
  const [isConfirming, setConfirming] = useState(false)
  const { user_id = 0, name } = member
  const { mutateAsync } = useOperationMutation('teams.remove_member', {
    onDone() {
      void cache.invalidateQueries({ queryKey: ['teams.members'] })
      showToast(t('settings.removed_name', { name }))
    },
    onFailed(error) {
      setConfirming(false)
      showError(error)
    },
  })
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setConfirming(true)}>
        {rich('settings.remove_name_name', { name: <span className="unseen">{name}</span> })}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t('settings.remove_name', { name })}
          submitLabel={t('settings.remove_name_name', { name })}
          onConfirm={() => mutateAsync({ team_id: team.team_id, user_id })}
          onClose={() => setConfirming(false)}
        >
          <p>{t('settings.name_loses_access_to_name2_and_their', { name, name2: team.name })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
