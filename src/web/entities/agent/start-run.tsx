import { useState } from 'react'
import { useLocation } from 'wouter'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { SelectField, TextAreaField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { useDraftText } from '../editor/draft-text.ts'
import { canManage } from './actions.ts'

interface Props {
  task: { task_id: number; ticket_number: string; title: string }
  /** The agent that is selected at first. */
  agent_id?: string | undefined
  draft?: string
  onClose(): void
}

/** Starts a run of an agent on a task, with a prompt. */
export default function StartRun({ task, agent_id: initialId, draft: before, onClose }: Props) {
  const { task_id, ticket_number } = task
  const agents = useAgentsFor(task_id)
  const [selectedId, setSelectedId] = useState(initialId)
  const { text, type, draft } = useDraftText(`run:new:${task_id}`, before)
  const [, go] = useLocation()
  const agent_id = selectedId ?? agents?.[0]?.agent_id
  const { mutateAsync } = useOperationMutation('runs.create', {
    onDone({ run_id, created }) {
      draft.discard()
      showToast(
        created
          ? t('agent.queued_a_run_on_ticket_number', { ticket_number })
          : t('agent.the_agent_already_has_an_open_run'),
      )
      go(`/runs/${run_id}`)
    },
  })
  const prompt = text.trim()
  return (
    <FormDialog
      title={t('agent.start_a_run_on_ticket_number', { ticket_number })}
      submitLabel={t('agent.start_run')}
      disabled={!agent_id}
      onSubmit={() => agent_id && mutateAsync({ task_id, agent_id, ...(prompt && { prompt }) })}
      onClose={onClose}
    >
      <AgentSelect {...{ agents, agent_id }} onPick={setSelectedId} />
      <TextAreaField
        label={t('agent.prompt_optional')}
        hint={t('agent.without_a_prompt_the_agent_works_on')}
        rows={4}
        maxLength={10_000}
        dir="auto"
        value={text}
        onChange={type}
      />
    </FormDialog>
  )
}

interface AgentSelectProps {
  agents: ReturnType<typeof useAgentsFor>
  agent_id: string | undefined
  onPick(agent_id: string | undefined): void
}

/** Selects the agent to start, or explains why there is none. */
const AgentSelect = ({ agents, agent_id, onPick }: AgentSelectProps) =>
  agents?.length === 0 ? (
    <p>{t('agent.none_of_the_agents_that_you_manage')}</p>
  ) : (
    <SelectField
      label={t('agent.agent')}
      value={agent_id}
      choices={agents?.map((agent) => [agent.agent_id, agent.name] as const) ?? []}
      onPick={onPick}
    />
  )

/** The agents that the user may start on the task's board. */
function useAgentsFor(task_id: number) {
  const { data: me } = useOperation('user_context.get', {})
  const { data: task } = useOperation('tasks.get', { task_id, format: 'html' })
  const project_id = task && 'project_id' in task ? task.project_id : undefined
  const team_id = me?.boards.find((one) => one.project_id === project_id)?.team_id
  const { data } = useOperation(
    'agents.list',
    { team_id: team_id ?? 0, state: 'active', limit: 50, sort: 'title' },
    { enabled: team_id !== undefined },
  )
  return data?.items.filter(
    (one) =>
      me && canManage(me, one) && (!one.project_ids || one.project_ids.includes(project_id ?? 0)),
  )
}
