import { useState } from 'react'
import { useAct } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'

export type Issued = Output<'agents.create'>

interface Props {
  team_id: number
  board: { project_id: number; title: string } | undefined
  onMade(agent: Issued): void
}

/** What a new agent is called, and where it may work. */
export function Naming({ team_id, board, onMade }: Props) {
  const [name, setName] = useState('')
  const [isConfined, setConfined] = useState(false)
  const [wrong, setWrong] = useState('')
  const { act, busy } = useAct('agents.create', {
    done: onMade,
    failed: (error) => setWrong(wordsOf(error)),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!name.trim()) return
        setWrong('')
        const project_ids = board && isConfined ? [board.project_id] : null
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
        aria-invalid={wrong !== ''}
        aria-describedby={wrong ? 'agent-wrong' : undefined}
        // biome-ignore lint/a11y/noAutofocus: the dialog asks this one thing
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {wrong && (
        <p className="wrong" id="agent-wrong" role="alert">
          {wrong}
        </p>
      )}
      {board && (
        <label className="confined">
          <input
            type="checkbox"
            checked={isConfined}
            onChange={(event) => setConfined(event.target.checked)}
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
