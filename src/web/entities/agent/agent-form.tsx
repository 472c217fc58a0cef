import { useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { Check, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'

export type Issued = Output<'agents.create'>

interface Props {
  team_id: number
  board: { project_id: number; title: string } | undefined
  onCreated(agent: Issued): void
}

/** A form for the name of a new agent, and whether it may work on this board only. */
export function AgentForm({ team_id, board, onCreated }: Props) {
  const [name, setName] = useState('')
  const [isLimited, setLimited] = useState(false)
  const { mutateAsync } = useOperationMutation('agents.create', { onDone: onCreated })
  const create = () => {
    const project_ids = board && isLimited ? [board.project_id] : null
    return mutateAsync({ team_id, name: name.trim(), project_ids })
  }
  return (
    <Form className="form in-dialog" onSubmit={create}>
      <p>{t('agent.each_agent_has_its_own_name_so')}</p>
      <TextField
        label={t('agent.agent_name')}
        name="name"
        placeholder={t('common.claude_on_my_laptop')}
        maxLength={200}
        required
        autoFocus
        value={name}
        onChange={setName}
      />
      {board && (
        <Check checked={isLimited} onChange={setLimited}>
          {t('agent.limit_access_to_title', { title: board.title })}
        </Check>
      )}
      <FormFooter disabled={!name.trim()}>{t('agent.create_agent')}</FormFooter>
    </Form>
  )
}
