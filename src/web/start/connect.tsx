import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Output } from '../data/client.ts'
import { boardAt } from '../frame/places.ts'
import { Configured } from './configured.tsx'
import { type Issued, Naming } from './naming.tsx'
import { lostToken, Once } from './once.tsx'
import { Steps } from './steps.tsx'

type Me = Output<'user_context.get'>

interface Props {
  me: Me
  /** Whose agent it is where no board says it. */
  team_id: number
  onClose(): void
}

/** Opened by its address alone, there is nothing to go back to. */
function keepFocus() {
  if (document.activeElement === document.body)
    document.getElementById('main')?.focus({ preventScroll: true })
}

/** Makes an agent, shows once how it is connected, and tells when it has called. */
export default function Connect({ me, team_id: usual, onClose }: Props) {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const here = boardAt(path)
  const board = me.boards.find(({ project_id }) => project_id === here)
  const team_id = board?.team_id ?? usual
  const [agent, setAgent] = useState<Issued>()
  useEffect(() => () => void setTimeout(keepFocus), [])
  const isGuest = me.teams.find((team) => team.team_id === team_id)?.role === 'guest'
  return (
    <Once title="Connect your agent" lost={agent && lostToken(agent.name)} onClose={onClose}>
      {(keeping) => (
        <>
          {query.get('connect') === 'first' && <Steps at={2} />}
          {isGuest ? (
            <p>You are a guest in this team. Ask one of its members to connect an agent.</p>
          ) : agent ? (
            <Configured {...keeping} agent={agent} url={me.server.mcp_url} board={board?.title} />
          ) : (
            <Naming team_id={team_id} board={board} onMade={setAgent} />
          )}
        </>
      )}
    </Once>
  )
}
