import { useState } from 'react'
import { cache, useAct, useAsk } from '../../data/cache.ts'
import { type Output, wordsOf } from '../../data/client.ts'
import { complain, say } from '../../frame/toasts.tsx'
import { Avatar } from '../../parts/avatar.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { may, NAMES, type Role, rolesToGive, type Team } from './may.ts'
import { Question } from './question.tsx'

type Rows = Output<'teams.members'>
type Member = Rows['items'][number]

const PAGE = 50
const failed = (error: Error) => complain(wordsOf(error))

interface Props {
  team: Team
  me: number | undefined
}

/** The people of a team, and what each may do. */
export function Members({ team, me }: Props) {
  const [query, setQuery] = useState('')
  const text = query.trim()
  const first = {
    team_id: team.team_id,
    kind: 'person' as const,
    limit: PAGE,
    ...(text && { query: text }),
  }
  const { data } = useAsk('teams.members', first, { keep: true })
  return (
    <section aria-labelledby="team-people">
      <h2 id="team-people">
        People <span className="count">{data?.page.total ?? ''}</span>
      </h2>
      {(text || data?.page.has_more) && (
        <input
          type="search"
          className="field"
          aria-label="Find somebody"
          placeholder="Find somebody"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      )}
      <ul className="people">
        <Page team={team} me={me} input={first} />
      </ul>
    </section>
  )
}

type Asked = Parameters<typeof useAsk<'teams.members'>>[1]

function Page({ team, me, input }: Props & { input: Asked }) {
  const [more, setMore] = useState(false)
  const list = useAsk('teams.members', input, { keep: true })
  const { data } = list
  if (!data)
    return (
      <li>
        <LoadError of={list} what="people" />
      </li>
    )
  const { items, page } = data
  const owners = items.filter(({ role }) => role === 'owner').length
  return (
    <>
      {items.map((one) => (
        <One
          key={one.user_id}
          {...{ team, me, member: one }}
          isLastOwner={one.role === 'owner' && owners === 1 && !page.has_more}
        />
      ))}
      {page.next_cursor &&
        (more ? (
          <Page team={team} me={me} input={{ ...input, cursor: page.next_cursor }} />
        ) : (
          <li>
            <button type="button" className="button quiet" onClick={() => setMore(true)}>
              Show more
            </button>
          </li>
        ))}
    </>
  )
}

interface OneProps extends Props {
  member: Member
  isLastOwner: boolean
}

function One({ team, me, member, isLastOwner }: OneProps) {
  const { name, email, role = 'guest', user_id = 0 } = member
  const isMe = user_id === me
  const isManager = may(team.role, 'teams:manage')
  const mayChange = isManager && (role !== 'owner' || team.role === 'owner')
  return (
    <li className="person">
      <span aria-hidden="true">
        <Avatar actor={{ kind: 'person', user_id, name }} />
      </span>
      <span className="who">
        <span className="name" dir="auto">
          {name}
          {isMe && <span className="soft"> (you)</span>}
        </span>
        {email && <span className="soft mail">{email}</span>}
      </span>
      {mayChange ? (
        <RolePick {...{ team, member, isMe, isLastOwner }} />
      ) : (
        <span className="soft role">{NAMES[role]}</span>
      )}
      {isManager && (mayChange && !isMe ? <Remove {...{ team, member }} /> : <i className="gap" />)}
    </li>
  )
}

/** Shown at once, wherever they are listed. */
function patch(team_id: number, user_id: number, role: Role) {
  const listed = { queryKey: ['teams.members', { team_id }] }
  for (const [key, rows] of cache.getQueriesData<Rows>(listed))
    if (rows)
      cache.setQueryData<Rows>(key, {
        ...rows,
        items: rows.items.map((one) => (one.user_id === user_id ? { ...one, role } : one)),
      })
  return () => void cache.invalidateQueries(listed)
}

interface RoleProps extends Pick<OneProps, 'team' | 'member' | 'isLastOwner'> {
  isMe: boolean
}

function RolePick({ team, member, isMe, isLastOwner }: RoleProps) {
  const [asking, setAsking] = useState<Role>()
  const { team_id, role: mine } = team
  const { user_id = 0, name, role = 'guest' } = member
  const { act, busy } = useAct('teams.set_role', {
    ahead: (input) => patch(team_id, user_id, input.role),
    failed,
  })
  const set = (next: Role) =>
    act(
      { team_id, user_id, role: next },
      {
        onSuccess() {
          setAsking(undefined)
          say(`${name}: ${NAMES[next]}`, isMe ? undefined : () => act({ team_id, user_id, role }))
        },
      },
    )
  return (
    <>
      <select
        className="field role"
        aria-label={`Role of ${name}`}
        value={role}
        disabled={isLastOwner}
        title={isLastOwner ? 'A team keeps an owner: make somebody else one first' : undefined}
        onChange={({ target }) => {
          const next = target.value as Role
          // Whoever gives away what they may do cannot take it back.
          if (isMe) setAsking(next)
          else set(next)
        }}
      >
        {rolesToGive(mine).map((one) => (
          <option key={one} value={one}>
            {NAMES[one]}
          </option>
        ))}
      </select>
      {asking && (
        <GiveUp
          {...{ team, busy }}
          role={asking}
          onYes={() => set(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

interface GiveUpProps {
  team: Team
  role: Role
  busy: boolean
  onYes(): void
  onClose(): void
}

const articled = (role: Role) => `${/^[ao]/.test(role) ? 'an' : 'a'} ${NAMES[role].toLowerCase()}`

const GiveUp = ({ team, role, ...rest }: GiveUpProps) => (
  <Question {...rest} title={`Become ${articled(role)} yourself?`} verb="Change my role">
    <p>
      You give up what {articled(team.role)} of {team.name} may do. Only somebody else can give it
      back.
    </p>
  </Question>
)

function Remove({ team, member }: Pick<OneProps, 'team' | 'member'>) {
  const [asking, setAsking] = useState(false)
  const { user_id = 0, name } = member
  const { act, busy } = useAct('teams.remove_member', {
    done() {
      setAsking(false)
      void cache.invalidateQueries({ queryKey: ['teams.members'] })
      say(`Removed ${name}`)
    },
    failed(error) {
      setAsking(false)
      failed(error)
    },
  })
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setAsking(true)}>
        Remove<span className="unseen"> {name}</span>
      </button>
      {asking && (
        <Question
          title={`Remove ${name}?`}
          verb={`Remove ${name}`}
          busy={busy}
          onYes={() => act({ team_id: team.team_id, user_id })}
          onClose={() => setAsking(false)}
        >
          <p>
            {name} can no longer see anything of {team.name}, and their agents stop working there.
            What they wrote stays. To come back they must be invited anew, also to each board.
          </p>
        </Question>
      )}
    </>
  )
}
