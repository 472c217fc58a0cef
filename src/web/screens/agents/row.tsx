import { Link, useLocation } from 'wouter'
import { canManage, useAgentActions, usePause } from '../../entities/agent/actions.ts'
import {
  type Agent,
  agentActor,
  presenceText,
  type Run,
  scopesText,
} from '../../entities/agent/descriptions.ts'
import type { Lease } from '../../entities/agent/leases.ts'
import { PausedNote, PauseSwitch } from '../../entities/agent/pause.tsx'
import { RunMark } from '../../entities/agent/run-state.tsx'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../../messages/t.ts'
import { AgentDialogs } from './dialogs.tsx'
import { TimeLeft } from './time-left.tsx'

interface Props {
  me: Me
  agent: Agent
  /** The owner's name, if known. */
  owner: string | undefined
  leases: readonly Lease[]
  run: Run | undefined
}

/** An agent with its current work. */
export function AgentRow({ me, agent, owner, leases, run }: Props) {
  const { agent_id, name, owner_id } = agent
  const isOwn = owner_id === me.profile.user_id
  return (
    <li data-agent={agent_id} className={`agent ${agent.state}`}>
      <span aria-hidden="true" className="face">
        <Avatar actor={agentActor(agent)} busy={leases.length > 0} />
      </span>
      <div className="row-title">
        <div className="titles">
          <h2>
            <Link href={`/agents/${agent_id}`} dir="auto">
              {name}
            </Link>
          </h2>
          <Badge agent={agent} />
          <Presence agent={agent} />
          <PausedNote of={agent} />
        </div>
        <p className="meta">
          <span>
            {isOwn
              ? t('agents.yours')
              : owner
                ? t('agents.owner_owner', { owner })
                : t('agents.owner_former_member')}
          </span>
          <span>{scopesText(agent)}</span>
          <span>{boardsText(me, agent)}</span>
          {agent.kind === 'external' && !agent.hasMcpToken && (
            <span>{t('agents.no_credential')}</span>
          )}
        </p>
        <CurrentWork leases={leases} run={run} />
      </div>
      {canManage(me, agent) && <PauseAgent agent={agent} />}
      {canManage(me, agent) && <AgentMenu me={me} agent={agent} />}
    </li>
  )
}

export const Badge = ({ agent: { kind } }: { agent: Agent }) => (
  <span
    className="badge"
    title={kind === 'native' ? t('agents.run_by_corkboard') : t('agents.has_its_own_token')}
  >
    {kind === 'native' ? t('agents.native_agent') : t('common.agent')}
  </span>
)

export const Presence = ({ agent }: { agent: Agent }) => (
  <span className={`presence${agent.present ? ' present' : ''}`}>{presenceText(agent)}</span>
)

/** The boards that the agent is limited to, as far as the user can see them. */
export function boardsText({ boards }: Me, { project_ids }: Agent): string {
  if (!project_ids) return t('common.all_boards')
  const titles = boards
    .filter(({ project_id }) => project_ids.includes(project_id))
    .map(({ title }) => title)
  if (!titles.length) return t('agents.no_boards_that_you_can_see')
  return titles.length > 2 ? t('agents.count_boards', { count: titles.length }) : titles.join(', ')
}

function CurrentWork({ leases, run }: Pick<Props, 'leases' | 'run'>) {
  if (!leases.length && !run) return null
  const otherRun =
    run && !leases.some(({ task_id }) => task_id === run.task.task_id) ? run : undefined
  return (
    <ul className="work-list">
      {leases.map((lease) => (
        <li key={lease.task_id}>
          <TaskReference {...lease} />
          <span className="end">
            {run?.task.task_id === lease.task_id && <RunMark run={run} />}
            <TimeLeft until={lease.expires_at} />
          </span>
        </li>
      ))}
      {otherRun && (
        <li>
          <TaskReference {...otherRun.task} />
          <span className="end">
            <RunMark run={otherRun} />
          </span>
        </li>
      )}
      {run?.last_entry && <li className="last-line">{run.last_entry}</li>}
    </ul>
  )
}

export const TaskReference = ({
  ticket_number,
  title,
}: {
  ticket_number: string
  title: string
}) => (
  <Link href={`/t/${ticket_number}`} className="of-task">
    <span className="key minor">{ticket_number}</span>{' '}
    <span className="name truncate">{title}</span>
  </Link>
)

/** Archived agents cannot work anyway. */
export function PauseAgent({ agent }: { agent: Agent }) {
  const setPaused = usePause(agent)
  if (agent.state === 'archived') return null
  return <PauseSwitch name={agent.name} of={agent} onChange={setPaused} />
}

export function AgentMenu({ me, agent }: { me: Me; agent: Agent }) {
  const actions = useAgentActions(agent)
  const [path, go] = useLocation()
  return (
    <>
      <Menu
        label={t('agents.about_name', { name: agent.name })}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="dots" label={t('agents.more_about_name', { name: agent.name })} />
          </button>
        }
        groups={actions.menuGroups}
      />
      <AgentDialogs
        {...{ me, agent, actions }}
        onDelete={() => path !== '/agents' && go('/agents')}
      />
    </>
  )
}
