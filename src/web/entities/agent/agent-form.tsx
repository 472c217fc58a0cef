import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { errorText } from '../../kit/errors.ts'

export type Issued = Output<'agents.create'>

interface Props {
  team_id: number
  board: { project_id: number; title: string } | undefined
  onMade(agent: Issued): void
}

/** A form for the name of a new agent, and whether it may work on this board only. */
export function AgentForm({ team_id, board, onMade }: Props) {
  const [name, setName] = useState('')
  const [isLimited, setLimited] = useState(false)
  const [error, setError] = useState('')
  const { act, busy } = useOperationMutation('agents.create', {
    onDone: onMade,
    onFailed: (error) => setError(errorText(error)),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!name.trim()) return
        setError('')
        const project_ids = board && isLimited ? [board.project_id] : null
        act({ team_id, name: name.trim(), project_ids })
      }}
    >
      <p>
        Each agent has its own name, so you can see who did what. It has the same access to your
        boards as you, and claims a task before working on it.
      </p>
      <label htmlFor="agent-name">Agent name</label>
      <input
        id="agent-name"
        className="field"
        placeholder="Claude on my laptop"
        maxLength={200}
        required
        aria-invalid={error !== ''}
        aria-describedby={error ? 'agent-wrong' : undefined}
        // biome-ignore lint/a11y/noAutofocus: it is the only field of the dialog
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {error && (
        <p className="wrong" id="agent-wrong" role="alert">
          {error}
        </p>
      )}
      {board && (
        <label className="confined">
          <input
            type="checkbox"
            checked={isLimited}
            onChange={(event) => setLimited(event.target.checked)}
          />
          Limit access to {board.title}
        </label>
      )}
      <button type="submit" className="button main" disabled={busy || !name.trim()}>
        Create agent
      </button>
    </form>
  )
}
