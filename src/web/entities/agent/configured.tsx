import { useEffect } from 'react'
import { useOperation } from '../../data/cache.ts'
import { Copy } from '../../kit/copy.tsx'
import { rich, t } from '../../messages/t.ts'
import type { Issued } from './agent-form.tsx'
import { Programs } from './programs.tsx'

interface Props {
  agent: Issued
  url: string
  /** The title of the board behind the dialog. */
  board: string | undefined
  isSaved: boolean
  /** The token was copied or has been used. */
  onSaved(): void
  onClose(): void
}

/** How to set up the agent's program, and whether it has connected. */
export function Configured({ agent, url, board, isSaved, onSaved, onClose }: Props) {
  return (
    <>
      <p>
        {rich('agent.the_token_of_name_is_shown_only', { name: <strong>{agent.name}</strong> })}
      </p>
      <Programs url={url} token={agent.token!} onCopied={onSaved} />
      <div className="sample-prompt">
        <p>{t('agent.then_start_with_this_prompt')}</p>
        <Copy label={t('agent.first_prompt_label')} text={firstPrompt(board)} />
      </div>
      <footer className="flex-wrap">
        <ConnectionStatus agent={agent} onCalled={onSaved} />
        <button type="button" className={`button ${isSaved ? 'main' : 'plain'}`} onClick={onClose}>
          {board ? t('agent.go_to_board') : t('common.finish')}
        </button>
      </footer>
    </>
  )
}

const firstPrompt = (board: string | undefined) =>
  board ? t('agent.first_prompt_on_board', { board }) : t('agent.first_prompt')

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
      {hasCalled
        ? t('agent.name_is_connected', { name })
        : t('agent.waiting_for_name_to_connect', { name })}
    </p>
  )
}
