import { useState } from 'react'
import { useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { parseBudget } from '../../entities/agent/budget.ts'
import { type Agent, agentActor } from '../../entities/agent/descriptions.ts'
import type { Me } from '../../entities/user/me.ts'
import { PictureField } from '../../entities/user/picture-field.tsx'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { type Draft, Fields } from './form.tsx'
import { Instructions, useInstructions } from './native.tsx'

interface Props {
  me: Me
  agent: Agent
  onClose(): void
}

/** Edits an agent's name, scopes, boards and instructions. Changes apply from its next request. */
export function EditAgent({ me, agent, onClose }: Props) {
  const { agent_id, team_id, name, kind, scopes, project_ids, budget_usd } = agent
  const isNative = kind === 'native'
  // Lists do not include the instructions.
  const { data: fullAgent } = useOperation('agents.get', { agent_id }, { enabled: isNative })
  const instructions = useInstructions(agent_id)
  const [draft, setDraft] = useState<Draft>({ name, scopes, project_ids })
  const [budget, setBudget] = useState(budget_usd === null ? '' : String(budget_usd))
  const cache = useCache()
  const { mutateAsync } = useOperationMutation('agents.update', {
    onDone({ changed }) {
      instructions.discardDraft()
      void cache.invalidateQueries({ queryKey: ['agents.get'] })
      if (changed.length) showToast(t('agents.saved_name', { name: draft.name.trim() }))
    },
  })
  return (
    <FormDialog
      className="agent-form"
      title={t('agents.edit_name', { name })}
      submitLabel={t('common.save')}
      disabled={!isComplete(draft)}
      onSubmit={() =>
        mutateAsync({
          ...{ agent_id, ...agentFields(draft), budget_usd: parseBudget(budget) },
          ...(instructions.draftText !== undefined && { instructions: instructions.draftText }),
        })
      }
      onClose={onClose}
    >
      <PictureField actor={agentActor(agent)} />
      <Fields {...{ me, team_id, draft, agent }} onChange={setDraft} />
      <TextField
        label={t('agent.monthly_budget_usd')}
        hint={t('agent.when_it_is_used_the_agent')}
        name="budget_usd"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={budget}
        onChange={setBudget}
      />
      {isNative && fullAgent && (
        <Instructions stored={fullAgent.instructions} draft={instructions} />
      )}
    </FormDialog>
  )
}

export const isComplete = ({ name, scopes, project_ids }: Draft) =>
  name.trim() !== '' && scopes.length > 0 && project_ids?.length !== 0

export const agentFields = ({ name, scopes, project_ids }: Draft) => ({
  ...{ name: name.trim(), scopes: [...scopes] },
  project_ids: project_ids && [...project_ids],
})
