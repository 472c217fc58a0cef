import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Output } from '../data/client.ts'
import { boardAt } from '../frame/places.ts'
import { Dialog } from '../parts/dialog.tsx'
import './connect.css'
import { Configured } from './configured.tsx'
import { type Issued, Naming } from './naming.tsx'
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
  const [isKept, setKept] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => () => void setTimeout(keepFocus), [])
  const close = () => (agent && !isKept && !isLeaving ? setLeaving(true) : onClose())
  const isGuest = me.teams.find((team) => team.team_id === team_id)?.role === 'guest'
  return (
    <Dialog open onClose={close} title="Connect your agent">
      <div className="connect">
        {query.get('connect') === 'first' && <Steps at={2} />}
        {isGuest ? (
          <p>You are a guest in this team. Ask one of its members to connect an agent.</p>
        ) : agent ? (
          <Configured
            agent={agent}
            url={me.server.mcp_url}
            board={board?.title}
            isKept={isKept}
            onKept={() => {
              setKept(true)
              setLeaving(false)
            }}
            onClose={close}
          />
        ) : (
          <Naming team_id={team_id} board={board} onMade={setAgent} />
        )}
        {isLeaving && agent && (
          <div className="leaving" role="alert">
            <p>
              The token of {agent.name} was not copied and will not be shown again. The agent stays.
            </p>
            <button type="button" className="button plain" onClick={onClose}>
              Close all the same
            </button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
