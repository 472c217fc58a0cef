import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { Refused } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { useTabName } from '../frame/title.ts'
import { Avatar } from '../parts/avatar.tsx'
import { agoWords } from '../parts/dates.ts'
import { Escalations, Proof } from './called.tsx'
import { manages } from './deeds.ts'
import { Missing, Shape } from './empty.tsx'
import { isHolder, useHeld } from './held.ts'
import { Waiting } from './messages.tsx'
import { useOwners } from './owners.ts'
import './page.css'
import { Badge, More, Presence, whereWords } from './row.tsx'
import { useRuns } from './runs.ts'
import { Webhook } from './webhook.tsx'
import { type Agent, agentActor, mayWords, SCOPES } from './words.ts'
import { Block, Holds, Runs } from './work.tsx'

/** Whether it is there is known for a minute, and nobody tells when it goes. */
const AGAIN_MS = 15_000

/** All there is of one agent. */
export function AgentPage({ me, agent_id }: { me: Me; agent_id: string }) {
  const { data: agent, error } = useAsk('agents.get', { agent_id }, { every: AGAIN_MS })
  useTabName(agent?.name)
  if (error && !agent)
    return (
      <Missing
        what="agent"
        error={error}
        isUnknown={error instanceof Refused && [400, 403, 404].includes(error.status)}
      />
    )
  if (!agent) return <Shape />
  return <Whole me={me} agent={agent} />
}

function Whole({ me, agent }: { me: Me; agent: Agent }) {
  const { agent_id, team_id } = agent
  const boards = me.boards.filter((one) => one.team_id === team_id)
  const leases = useHeld(team_id)
  const held = leases.held.filter((one) => isHolder(one, agent_id))
  const { runs, isPending, list } = useRuns(boards, agent_id)
  const isMine = manages(me, agent)
  const tasks = [...new Set([...held, ...runs.map(({ task }) => task)].map((one) => one.task_id))]
  return (
    <article className="agent-page" aria-label={agent.name}>
      <Head me={me} agent={agent} isMine={isMine} isBusy={held.length > 0} />
      <div className="columns">
        <div className="main-part">
          <Escalations agent={agent} tasks={tasks} />
          <Holds held={held} list={leases.list} agent={agent} />
          <Runs {...{ runs, isPending, list }} />
          <Proof agent={agent} tasks={tasks} />
          {isMine && <Webhook me={me} agent={agent} />}
        </div>
        <aside aria-label={`About ${agent.name}`}>
          <Facts me={me} agent={agent} isMine={isMine} />
          {isMine && <Waiting agent={agent} />}
        </aside>
      </div>
    </article>
  )
}

interface HeadProps {
  me: Me
  agent: Agent
  isMine: boolean
  isBusy: boolean
}

const Head = ({ me, agent, isMine, isBusy }: HeadProps) => (
  <header>
    <span aria-hidden="true" className="face">
      <Avatar actor={agentActor(agent)} busy={isBusy} />
    </span>
    <div>
      <Link href="/agents" className="up">
        Agents
      </Link>
      <div className="titles">
        <h1 dir="auto">{agent.name}</h1>
        <Badge agent={agent} />
        <span role="status">
          <Presence agent={agent} />
        </span>
      </div>
    </div>
    {isMine && <More me={me} agent={agent} />}
  </header>
)

function Facts({ me, agent, isMine }: Omit<HeadProps, 'isBusy'>) {
  const owners = useOwners(agent.team_id)
  const { owner_id, kind, hasMcpToken, scopes, created_at } = agent
  const role = me.teams.find(({ team_id }) => team_id === agent.team_id)?.role
  const made = agoWords(created_at)
  return (
    <Block title="Profile">
      <dl>
        <dt>Owner</dt>
        <dd>
          {owner_id === me.profile.user_id ? 'You' : (owners.get(owner_id) ?? 'Left the team')}
        </dd>
        <dt>Boards</dt>
        <dd>{whereWords(me, agent)}</dd>
        <dt>Credential</dt>
        <dd>
          {kind === 'native'
            ? 'None: Corkboard runs it'
            : hasMcpToken
              ? 'Has a credential'
              : 'Has no credential'}
        </dd>
        <dt>Made</dt>
        <dd>
          <time dateTime={created_at} title={made.full}>
            {made.short}
          </time>
        </dd>
        <dt>May</dt>
        <dd>
          <details>
            <summary>{mayWords(agent)}</summary>
            <ul>
              {SCOPES.filter(([scope]) => scopes.includes(scope)).map(([scope, words]) => (
                <li key={scope}>{words}</li>
              ))}
            </ul>
          </details>
        </dd>
      </dl>
      {agent.instructions && (
        <details>
          <summary>Instructions</summary>
          <p className="instructions" dir="auto">
            {agent.instructions}
          </p>
        </details>
      )}
      {isMine && (role === 'owner' || role === 'admin') && (
        <Link href={`/settings/audit/${agent.team_id}`}>What was done with it: the audit log</Link>
      )}
    </Block>
  )
}
