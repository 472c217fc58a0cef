import { useState } from 'react'
import { cache, useAsk } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { say } from '../../frame/toasts.tsx'
import { Avatar } from '../../parts/avatar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { PickOne } from '../../parts/pick.tsx'
import { Copy } from '../../start/copy.tsx'
import { type Board, refused } from './data.ts'
import { Add, Part } from './parts.tsx'

type Invited = Output<'projects.invite_member'>

/** Somebody of the team is there at once; somebody new gets a link. */
export function Invite({ board }: { board: Board }) {
  const { project_id, team_id } = board
  const [made, setMade] = useState<Invited & { email: string }>()
  const invite = async (member_identifier: number | string): Promise<boolean> => {
    try {
      const done = await send('projects.invite_member', { project_id, member_identifier })
      void cache.invalidateQueries({ queryKey: ['projects.members'] })
      if (done.status === 'invited') setMade({ ...done, email: String(member_identifier) })
      else tell(project_id, done)
      return true
    } catch (error) {
      refused(error)
      return false
    }
  }
  return (
    <Part
      title="Invite somebody"
      about="One of the team sees the board at once. Somebody new becomes a guest by a link: they work on its tasks and see nothing else of the team."
    >
      <Teammate {...{ project_id, team_id }} onPick={(user_id) => void invite(user_id)} />
      <Add
        label="E-mail of somebody to invite"
        placeholder="name@example.com"
        verb="Invite by e-mail"
        maxLength={254}
        onAdd={invite}
      />
      {made?.link && (
        <div className="board-once" role="status">
          <p>
            <strong>{made.email}</strong> comes in by this link, which is shown this once.
            {made.mailed && ' It is mailed to them as well.'}
          </p>
          <Copy label={`Link for ${made.email}`} text={made.link} />
          <button type="button" className="button quiet" onClick={() => setMade(undefined)}>
            Done
          </button>
        </div>
      )}
    </Part>
  )
}

function tell(project_id: number, { status, name, user_id }: Invited) {
  if (status === 'already_member') return say(`${name} is invited already`)
  say(`${name} is on the board`, () => {
    send('projects.remove_member', { project_id, user_id: user_id! }).catch(refused)
  })
}

interface TeammateProps {
  project_id: number
  team_id: number
  onPick(user_id: number): void
}

/** Whoever of the team was not invited by name. */
function Teammate({ project_id, team_id, onPick }: TeammateProps) {
  const list = useAsk('teams.members', { team_id, kind: 'person', limit: 50 })
  const team = list.data?.items ?? []
  const there = useAsk('projects.members', { project_id, limit: 50 }).data?.items ?? []
  const invited = new Set(there.filter((one) => one.invited).map(({ user_id }) => user_id))
  const choices = team
    .filter(({ user_id }) => !invited.has(user_id))
    .map((one) => ({
      value: one.user_id!,
      name: `${one.name}, ${one.role}`,
      mark: <Avatar actor={one} />,
    }))
  if (!choices.length) return <LoadError of={list} what="the team" />
  return (
    <PickOne
      label="Somebody of the team"
      value={null}
      choices={choices}
      onPick={onPick}
      trigger={
        <button type="button" className="button plain" aria-label="Somebody of the team…">
          <Icon name="mine" />
          Somebody of the team…
        </button>
      }
    />
  )
}
