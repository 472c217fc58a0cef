import { sendWrite } from '../../data/write-queue.ts'
import { showError } from '../../kit/toasts.tsx'

/** Assigns agents to a new task. */
export function assignAgents(task_id: number, agent_ids: readonly string[]) {
  for (const agent_id of agent_ids)
    sendWrite('tasks.assign', { task_id, agent_id, intent: 'assign' }).catch(showError)
}
