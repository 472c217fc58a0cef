import { useState } from 'react'
import { useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { CLIENTS } from './clients.ts'
import { Copy } from './copy.tsx'
import './start.css'

type Me = Output<'user_context.get'>
type Issued = Output<'agents.create'>

interface Props {
  me: Me
  team_id: number
  onClose(): void
}

/** Makes an agent, shows once how it is connected, and tells when it has called. */
export default function Connect({ me, team_id, onClose }: Props) {
  const [agent, setAgent] = useState<Issued>()
  return (
    <Dialog open onClose={onClose} title="Connect your agent">
      <div className="connect">
        {agent ? (
          <Connected agent={agent} url={me.server.mcp_url} team_id={team_id} onClose={onClose} />
        ) : (
          <Naming team_id={team_id} onMade={setAgent} />
        )}
      </div>
    </Dialog>
  )
}

function Naming({ team_id, onMade }: { team_id: number; onMade(agent: Issued): void }) {
  const [name, setName] = useState('')
  const { act, busy } = useAct('agents.create', {
    done: onMade,
    failed: (error) => complain(wordsOf(error)),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) act({ team_id, name: name.trim() })
      }}
    >
      <p>
        An agent has a name of its own, so that you always see who did what. It may do on your
        boards what you may, and takes a task before it works on it.
      </p>
      <label htmlFor="agent-name">What is it called?</label>
      <input
        id="agent-name"
        className="field"
        placeholder="Claude on my laptop"
        maxLength={200}
        required
        // biome-ignore lint/a11y/noAutofocus: the dialog asks this one thing
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="button main" disabled={busy || !name.trim()}>
        Make it
      </button>
    </form>
  )
}

interface Shown {
  agent: Issued
  url: string
  team_id: number
  onClose(): void
}

function Connected({ agent, url, team_id, onClose }: Shown) {
  const [chosen, setChosen] = useState(0)
  const { name, text } = CLIENTS[chosen]!
  return (
    <>
      <p>
        The token of <strong>{agent.name}</strong> is shown this once. Copy what your program needs.
      </p>
      <div className="tabs" role="tablist" aria-label="Programs">
        {CLIENTS.map((client, at) => (
          <button
            key={client.name}
            type="button"
            role="tab"
            id={`client-${at}`}
            aria-selected={at === chosen}
            aria-controls="client-text"
            onClick={() => setChosen(at)}
          >
            {client.name}
          </button>
        ))}
      </div>
      <div id="client-text" role="tabpanel" aria-labelledby={`client-${chosen}`}>
        <Copy label={`Configuration for ${name}`} text={text({ url, token: agent.token! })} />
      </div>
      <Light agent_id={agent.agent_id} name={agent.name} team_id={team_id} />
      <footer>
        <button type="button" className="button plain" onClick={onClose}>
          To the board
        </button>
      </footer>
    </>
  )
}

const LOOK_MS = 1500

/** Turns on with the first call that the agent makes. */
function Light({ agent_id, name, team_id }: { agent_id: string; name: string; team_id: number }) {
  const { data } = useAsk('agents.presence', { team_id }, { every: LOOK_MS })
  const isHere = data?.items.some((one) => one.agent_id === agent_id && one.last_seen_at)
  return (
    <p className={`light${isHere ? ' on' : ''}`} role="status">
      {isHere ? `${name} is connected` : `Waiting for ${name} to call…`}
    </p>
  )
}
