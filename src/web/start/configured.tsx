import { useEffect } from 'react'
import { useAsk } from '../data/cache.ts'
import { Copy } from './copy.tsx'
import type { Issued } from './naming.tsx'
import { Programs } from './programs.tsx'

interface Props {
  agent: Issued
  url: string
  /** Of the board that is behind the dialog. */
  board: string | undefined
  isKept: boolean
  /** The token is where it is needed. */
  onKept(): void
  onClose(): void
}

/** What to tell the agent's program, and whether it has called. */
export function Configured({ agent, url, board, isKept, onKept, onClose }: Props) {
  return (
    <>
      <p>
        The token of <strong>{agent.name}</strong> is shown this once. Copy what your program needs.
      </p>
      <Programs url={url} token={agent.token!} onCopied={onKept} />
      <div className="first-words">
        <p>Then tell it, for a start:</p>
        <Copy label="First words" text={firstWords(board)} />
      </div>
      <footer>
        <Light agent={agent} onCalled={onKept} />
        <button type="button" className={`button ${isKept ? 'main' : 'plain'}`} onClick={onClose}>
          {board ? 'To the board' : 'Done'}
        </button>
      </footer>
    </>
  )
}

const firstWords = (board: string | undefined) =>
  `Say hello to corkboard, ${board ? `look at the board “${board}”,` : 'look at my boards,'} claim the next task and tell me what you would do.`

const LOOK_MS = 1000

/** Turns on with the first call that the agent makes. */
function Light({ agent, onCalled }: { agent: Issued; onCalled(): void }) {
  const { agent_id, name } = agent
  const { data } = useAsk('agents.get', { agent_id }, { every: LOOK_MS })
  const isHere = Boolean(data?.last_seen_at)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, whoever listens by then
  useEffect(() => {
    if (isHere) onCalled()
  }, [isHere])
  return (
    <p className={`light${isHere ? ' on' : ''}`} role="status">
      {isHere ? `${name} is connected` : `Waiting for ${name} to call…`}
    </p>
  )
}
