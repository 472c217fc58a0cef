import { useState } from 'react'
import { useOperationMutation } from '../data/cache.ts'
import { errorText, type Output } from '../data/client.ts'

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
          Let it work on {board.title} only
        </label>
      )}
      <button type="submit" className="button main" disabled={busy || !name.trim()}>
        Make the agent
      </button>
    </form>
  )
}
