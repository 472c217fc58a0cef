import { useCallback, useEffect } from 'react'
import type { Change } from '../../data/change-stream.ts'
import { useChanges } from '../../data/live.ts'
import { t } from '../../messages/t.ts'
import { type Actor, keyOf } from '../user/actor.ts'
import { Avatar } from '../user/avatar.tsx'
import { useMe } from '../user/me.ts'
import './presence.css'
import { enter, note, type Place, type Present, usePresent } from './reports.ts'

/** As many fit beside the other things in a header. */
const MAX_AVATARS = 4
const MAX_NAMES = 20

/** The others who look at the same board, task or page now. */
export default function PeopleHere({ project_id, task_id, page_id }: Place) {
  useEffect(() => enter({ project_id, task_id, page_id }), [project_id, task_id, page_id])
  useAgentsAtWork()
  const others = useOthers({ project_id, task_id, page_id })
  if (!others.length) return null
  const names = others.slice(0, MAX_NAMES).map(describe)
  const hidden = others.length - MAX_AVATARS
  return (
    <ul
      className="people-here avatars"
      aria-label={t('presence.here_now')}
      title={names.join('\n')}
    >
      {others.slice(0, MAX_AVATARS).map((one) => (
        <li key={keyOf(one.actor as Actor)} className={one.is_editing ? 'editing' : undefined}>
          <Avatar actor={one.actor as Actor} />
          {one.is_editing && <span className="unseen">{t('presence.editing')}</span>}
        </li>
      ))}
      {hidden > 0 && <li className="soft">+{hidden}</li>}
    </ul>
  )
}

const describe = ({ actor: { name }, is_editing }: Present) =>
  is_editing ? t('presence.name_is_editing', { name }) : name

/** One entry for each actor, the one that edits first. */
function useOthers({ project_id, task_id, page_id }: Place): Present[] {
  const me = useMe()?.profile.user_id
  const present = usePresent()
  const byActor = new Map<string | number, Present>()
  for (const one of present.values()) {
    const isHere =
      one.project_id === project_id &&
      (task_id === undefined || one.task_id === task_id) &&
      (page_id === undefined || one.page_id === page_id)
    const key = keyOf(one.actor as Actor)
    if (!isHere || key === me || byActor.get(key)?.is_editing) continue
    byActor.set(key, one)
  }
  return [...byActor.values()]
}

/** Agents have no page open; what they change shows that they are there. */
function useAgentsAtWork() {
  const handle = useCallback((changes: readonly Change[]) => {
    for (const { actor, project_id, data } of changes)
      if (actor?.kind === 'agent' && project_id !== null) {
        const { task_id, page_id } = data
        const place = { project_id, ...(task_id && { task_id }), ...(page_id && { page_id }) }
        note(`noted ${actor.agent_id}`, { actor, ...place })
      }
  }, [])
  useChanges(handle)
}
