import { useState } from 'react'
import { patchQuery, useOperation } from '../../../data/cache.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Avatar, keyOf } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
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
  if (!data) return <LoadError of={list} what="members" />
  const { items, page } = data
  const about =
    access === 'team'
      ? 'The team can see this board: owners, admins and members with their agents, and invited guests.'
      : 'Only invited people, and owners and admins of the team, can see this board, with their agents.'
  return (
    <>
      <SettingsSection title="Members" about={about} readOnly={!may.manage && MANAGERS_ONLY}>
        {(text || items.length > SEARCH_FROM) && (
          <input
            className="field"
            aria-label="Find a member"
            placeholder="Find a member"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <ul className="rows" aria-label="Board members">
          {items.map((one) => (
            <MemberRow
              key={keyOf(one)}
              {...{ member: one, access, asked: query }}
              mayRemove={may.manage && one.kind === 'person' && one.invited}
            />
          ))}
        </ul>
        {page.has_more && <p className="soft">Search by name to find more.</p>}
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
  asked: MembersQuery
  mayRemove: boolean
}

function MemberRow({ member, access, asked, mayRemove }: RowProps) {
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
            onClick={() => void remove(asked, member, access)}
          >
            <Icon name="close" label={`Remove ${name} from the board`} />
          </button>
        )}
      </div>
    </li>
  )
}

function accessReason({ kind, invited, role }: Member, access: string) {
  if (kind === 'agent') return invited ? 'for this board' : 'with its owner'
  if (invited) return 'invited'
  return access === 'team' || role ? 'by role' : ''
}

/** Removes an invitation. People who see the board by role keep access. */
function remove(query: MembersQuery, member: Member, access: string) {
  const { project_id } = query
  const { name, user_id, role } = member
  const keepsAccess =
    role === 'owner' || role === 'admin' || (role === 'member' && access === 'team')
  const revert = patchQuery('projects.members', query, (all) => ({
    ...all,
    items: all.items.flatMap((one) =>
      one.user_id === user_id ? (keepsAccess ? { ...one, invited: false } : []) : one,
    ),
  }))
  const request = sendWrite('projects.remove_member', { project_id, user_id: user_id! })
  return runWrite({
    ...{ made: request, back: revert, words: `Removed ${name} from the board` },
    undo: () => sendWrite('projects.invite_member', { project_id, member_identifier: user_id! }),
  })
}

const ROLES = [
  ['Owner, admin', 'See and change every board of the team, archive it and manage its access.'],
  ['Member', 'Sees the boards of the team, works on them and changes their settings.'],
  [
    'Guest',
    'Works on the tasks of boards they were invited to, and cannot change the boards themselves.',
  ],
  ['Agent', 'Sees what its owner sees, and can do what its scopes allow.'],
] as const

const Roles = () => (
  <SettingsSection title="What each role can do">
    <dl className="roles">
      {ROLES.map(([role, about]) => (
        <div key={role}>
          <dt>{role}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
    <p className="soft">
      The person who created a board can also archive it and manage its access.
    </p>
  </SettingsSection>
)
