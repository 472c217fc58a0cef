import { useState } from 'react'
import { useLocation } from 'wouter'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { showToast } from '../../kit/toasts.tsx'
import { useDraftText } from '../editor/draft-text.ts'
import './asking.css'
import { canManage } from './actions.ts'
import { Refusal } from './refusal.tsx'

interface Props {
  task: { task_id: number; ticket_number: string; title: string }
  /** The agent that is selected at first. */
  agent_id?: string | undefined
  draft?: string
  onClose(): void
}

/** Starts a run of an agent on a task, with a prompt. */
export default function StartRun({ task, agent_id, draft = '', onClose }: Props) {
  const { task_id, ticket_number } = task
  const agents = useAgentsFor(task_id)
  const [selectedId, setSelectedId] = useState(agent_id)
  const promptDraft = useDraftText(`run:new:${task_id}`, draft)
  const [error, setError] = useState('')
  const [, go] = useLocation()
  const agentId = selectedId ?? agents?.[0]?.agent_id
  const { act, busy } = useOperationMutation('runs.create', {
    onDone({ run_id, created }) {
      promptDraft.draft.discard()
      showToast(
        created
          ? `Queued a run on ${ticket_number}`
          : 'The agent already has an open run on this task',
      )
      onClose()
      go(`/runs/${run_id}`)
    },
    onFailed: (failure) => setError(errorText(failure)),
  })
  return (
    <Dialog open onClose={onClose} title={`Start a run on ${ticket_number}`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (!agentId) return
          const prompt = promptDraft.text.trim()
          act({ task_id, agent_id: agentId, ...(prompt && { prompt }) })
        }}
      >
        <AgentSelect agents={agents} selectedId={agentId} onSelect={setSelectedId} />
        <label className="labelled">
          Prompt (optional). Without a prompt, the agent works on the task as described.
          <textarea
            className="field"
            rows={4}
            maxLength={10_000}
            dir="auto"
            value={promptDraft.text}
            onChange={({ target }) => promptDraft.type(target.value)}
          />
        </label>
        <Refusal words={error} />
        <footer>
          <button type="submit" className="button main" disabled={busy || !agentId}>
            Start run
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

interface AgentSelectProps {
  agents: ReturnType<typeof useAgentsFor>
  selectedId: string | undefined
  onSelect(agent_id: string): void
}

/** Selects the agent to start, or explains why there is none. */
const AgentSelect = ({ agents, selectedId, onSelect }: AgentSelectProps) =>
  agents?.length === 0 ? (
    <p>
      None of the agents that you manage works on this board. Connect one, or ask the owner of
      another one.
    </p>
  ) : (
    <label className="labelled">
      Agent
      <select
        className="field"
        value={selectedId ?? ''}
        onChange={({ target }) => onSelect(target.value)}
      >
        {agents?.map((one) => (
          <option key={one.agent_id} value={one.agent_id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
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
