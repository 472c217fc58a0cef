import { Link, useLocation } from 'wouter'
import type { Me } from '../frame/places.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Above } from './asked.tsx'
import { manages, useAgentDeeds } from './deeds.ts'
import type { Held } from './held.ts'
import { Left } from './left.tsx'
import { RunMark } from './mark.tsx'
import { type Agent, agentActor, mayWords, presenceWords, type Run } from './words.ts'

interface Props {
  me: Me
  agent: Agent
  /** Whose it is, where that is known. */
  owner: string | undefined
  held: readonly Held[]
  run: Run | undefined
}

/** An agent in a line, and below what it is at. */
export function AgentRow({ me, agent, owner, held, run }: Props) {
  const { agent_id, name, owner_id } = agent
  const isOwn = owner_id === me.profile.user_id
  return (
    <li data-agent={agent_id} className={`agent ${agent.state}`}>
      <span aria-hidden="true" className="face">
        <Avatar actor={agentActor(agent)} busy={held.length > 0} />
      </span>
      <div className="what">
        <div className="titles">
          <h2>
            <Link href={`/agents/${agent_id}`} dir="auto">
              {name}
            </Link>
          </h2>
          <Badge agent={agent} />
          <Presence agent={agent} />
        </div>
        <p className="meta">
          <span>{isOwn ? 'Yours' : owner ? `Of ${owner}` : 'Of somebody who left'}</span>
          <span>{mayWords(agent)}</span>
          <span>{whereWords(me, agent)}</span>
          {agent.kind === 'external' && !agent.hasMcpToken && <span>No credential</span>}
        </p>
        <Work held={held} run={run} />
      </div>
      {manages(me, agent) && <More me={me} agent={agent} />}
    </li>
  )
}

export const Badge = ({ agent: { kind } }: { agent: Agent }) => (
  <span
    className="badge"
    title={kind === 'native' ? 'Run by Corkboard itself' : 'Has its own token'}
  >
    {kind === 'native' ? 'native agent' : 'agent'}
  </span>
)

export const Presence = ({ agent }: { agent: Agent }) => (
  <span className={`presence${agent.present ? ' here' : ''}`}>{presenceWords(agent)}</span>
)

/** The boards that it is confined to, as far as one can see them. */
export function whereWords({ boards }: Me, { project_ids }: Agent): string {
  if (!project_ids) return 'All boards'
  const titles = boards
    .filter(({ project_id }) => project_ids.includes(project_id))
    .map(({ title }) => title)
  if (!titles.length) return 'No board that you see'
  return titles.length > 2 ? `${titles.length} boards` : titles.join(', ')
}

function Work({ held, run }: Pick<Props, 'held' | 'run'>) {
  if (!held.length && !run) return null
  const rest = run && !held.some(({ task_id }) => task_id === run.task.task_id) ? run : undefined
  return (
    <ul className="works">
      {held.map((one) => (
        <li key={one.task_id}>
          <TaskOf {...one} />
          <span className="end">
            {run?.task.task_id === one.task_id && <RunMark run={run} />}
            <Left until={one.expires_at} />
          </span>
        </li>
      ))}
      {rest && (
        <li>
          <TaskOf {...rest.task} />
          <span className="end">
            <RunMark run={rest} />
          </span>
        </li>
      )}
      {run?.last_entry && <li className="last-line">{run.last_entry}</li>}
    </ul>
  )
}

export const TaskOf = ({ ticket_number, title }: { ticket_number: string; title: string }) => (
  <Link href={`/t/${ticket_number}`} className="of-task">
    <span className="key">{ticket_number}</span> <span className="name">{title}</span>
  </Link>
)

export function More({ me, agent }: { me: Me; agent: Agent }) {
  const of = useAgentDeeds(agent)
  const [path, go] = useLocation()
  return (
    <>
      <Menu
        label={`About ${agent.name}`}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="dots" label={`More about ${agent.name}`} />
          </button>
        }
        groups={of.deeds}
      />
      <Above {...{ me, agent, of }} onGone={() => path !== '/agents' && go('/agents')} />
    </>
  )
}
