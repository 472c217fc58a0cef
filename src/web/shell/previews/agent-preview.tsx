import { useOperation } from '../../data/cache.ts'
import { agentActor, isOpen, presenceText, STATES } from '../../entities/agent/descriptions.ts'
import { isHeldBy, useLeases } from '../../entities/agent/leases.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { t } from '../../messages/t.ts'
import { Pending } from './parts.tsx'
import { WorkList } from './work-list.tsx'

export function AgentPreview({ agent_id }: { agent_id: string }) {
  const { data: agent, error } = useOperation('agents.get', { agent_id })
  const { leases } = useLeases(agent?.team_id ?? 0)
  const held = leases.filter((one) => isHeldBy(one, agent_id))
  if (!agent) return <Pending error={error} />
  return (
    <>
      <div className="preview-who">
        <span aria-hidden="true">
          <Avatar actor={agentActor(agent)} busy={held.length > 0} />
        </span>
        <div>
          <p className="preview-title" dir="auto">
            {agent.name}
          </p>
          <p className="soft">{[t('agent.agent'), presenceText(agent)].join(' · ')}</p>
        </div>
      </div>
      <WorkList title={t('preview.works_on')} tasks={held} />
      {held[0] && <RunState task_id={held[0].task_id} agent_id={agent_id} />}
    </>
  )
}

/** The state of the run for the current task, where there is one. */
function RunState({ task_id, agent_id }: { task_id: number; agent_id: string }) {
  const { data } = useOperation('runs.list', { task_id, limit: 5 })
  const run = data?.items.find((one) => isOpen(one) && one.agent.agent_id === agent_id)
  return run ? <p className="soft">{t('preview.run', { state: STATES[run.state] })}</p> : null
}
