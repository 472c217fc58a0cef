import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { Check, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'

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
  const { finish } = useOperationMutation('agents.create', { onDone: onMade })
  const create = () => {
    const project_ids = board && isLimited ? [board.project_id] : null
    return finish({ team_id, name: name.trim(), project_ids })
  }
  return (
    <Form className="form in-dialog" onSubmit={create}>
      <p>
        Each agent has its own name, so you can see who did what. It has the same access to your
        boards as you, and claims a task before working on it.
      </p>
      <TextField
        label="Agent name"
        name="name"
        placeholder="Claude on my laptop"
        maxLength={200}
        required
        autoFocus
        value={name}
        onChange={setName}
      />
      {board && (
        <Check checked={isLimited} onChange={setLimited}>
          Limit access to {board.title}
        </Check>
      )}
      <FormFooter disabled={!name.trim()}>Create agent</FormFooter>
    </Form>
  )
}
