import { useEffect } from 'react'
import { useOperation } from '../../data/cache.ts'
import { Copy } from '../../kit/copy.tsx'
import type { Issued } from './agent-form.tsx'
import { Programs } from './programs.tsx'

interface Props {
  agent: Issued
  url: string
  /** The title of the board behind the dialog. */
  board: string | undefined
  isKept: boolean
  /** The token was copied or has been used. */
  onKept(): void
  onClose(): void
}

/** How to set up the agent's program, and whether it has connected. */
export function Configured({ agent, url, board, isKept, onKept, onClose }: Props) {
  return (
    <>
      <p>
        The token of <strong>{agent.name}</strong> is shown only once. Copy the configuration for
        your client.
      </p>
      <Programs url={url} token={agent.token!} onCopied={onKept} />
      <div className="first-words">
        <p>Then start with this prompt:</p>
        <Copy label="First prompt" text={firstPrompt(board)} />
      </div>
      <footer className="flex-wrap">
        <ConnectionStatus agent={agent} onCalled={onKept} />
        <button type="button" className={`button ${isKept ? 'main' : 'plain'}`} onClick={onClose}>
          {board ? 'Go to board' : 'Done'}
        </button>
      </footer>
    </>
  )
}

const firstPrompt = (board: string | undefined) =>
  `Say hello to corkboard, ${board ? `look at the board “${board}”,` : 'look at my boards,'} claim the next task and tell me what you would do.`

const POLL_MS = 1000

/** Shows when the agent has made its first call. */
function ConnectionStatus({ agent, onCalled }: { agent: Issued; onCalled(): void }) {
  const { agent_id, name } = agent
  const { data } = useOperation('agents.get', { agent_id }, { pollMs: POLL_MS })
  const hasCalled = Boolean(data?.last_seen_at)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the listener of that moment
  useEffect(() => {
    if (hasCalled) onCalled()
  }, [hasCalled])
  return (
    <p className={`light flex-row soft${hasCalled ? ' on' : ''}`} role="status">
      {hasCalled ? `${name} is connected` : `Waiting for ${name} to connect…`}
    </p>
  )
}
