import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import { canManage } from '../../entities/agent/actions.ts'
import { budgetText } from '../../entities/agent/budget.ts'
import { isHeldBy, useLeases } from '../../entities/agent/leases.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { agoText } from '../../kit/dates.ts'
import { ApiError } from '../../kit/errors.ts'
import { useTabName } from '../../kit/title.ts'
import { t } from '../../messages/t.ts'
import { ListSkeleton, Missing } from './empty.tsx'
import { Escalations, EvidenceList } from './escalations.tsx'
import { useOwners } from './owners.ts'
import { UnreadInbox } from './unread-inbox.tsx'
import './page.css'
import { type Agent, agentActor, SCOPES, scopesText } from '../../entities/agent/descriptions.ts'
import { PausedNote } from '../../entities/agent/pause.tsx'
import { AgentMenu, Badge, boardsText, PauseAgent, Presence } from './row.tsx'
import { useRuns } from './runs.ts'
import { Webhook } from './webhook.tsx'
import { AgentLeases, Block, Runs } from './work.tsx'

/** Presence expires after a minute without an event, so it is polled. */
const REFRESH_MS = 15_000

/** The page of an agent. */
export function AgentPage({ me, agent_id }: { me: Me; agent_id: string }) {
  const { data: agent, error } = useOperation('agents.get', { agent_id }, { pollMs: REFRESH_MS })
  useTabName(agent?.name)
  if (error && !agent)
    return (
      <Missing
        kind="agent"
        error={error}
        isUnknown={error instanceof ApiError && [400, 403, 404].includes(error.status)}
      />
    )
  if (!agent) return <ListSkeleton />
  return <AgentDetails me={me} agent={agent} />
}

function AgentDetails({ me, agent }: { me: Me; agent: Agent }) {
  const { agent_id, team_id } = agent
  const boards = me.boards.filter((one) => one.team_id === team_id)
  const teamLeases = useLeases(team_id)
  const leases = teamLeases.leases.filter((one) => isHeldBy(one, agent_id))
  const { runs, isPending, list } = useRuns(boards, agent_id)
  const isManager = canManage(me, agent)
  const tasks = [...new Set([...leases, ...runs.map(({ task }) => task)].map((one) => one.task_id))]
  return (
    <article className="agent-page scroller" aria-label={agent.name}>
      <AgentHeader me={me} agent={agent} isManager={isManager} isBusy={leases.length > 0} />
      <div className="columns">
        <div className="main-part">
          <Escalations agent={agent} tasks={tasks} />
          <AgentLeases leases={leases} list={teamLeases.list} agent={agent} />
          <Runs {...{ runs, isPending, list }} />
          <EvidenceList agent={agent} tasks={tasks} />
          {isManager && <Webhook me={me} agent={agent} />}
        </div>
        <aside aria-label={t('agents.about_name', { name: agent.name })}>
          <Facts me={me} agent={agent} isManager={isManager} />
          {isManager && <UnreadInbox agent={agent} />}
        </aside>
      </div>
    </article>
  )
}

interface HeadProps {
  me: Me
  agent: Agent
  isManager: boolean
  isBusy: boolean
}

const AgentHeader = ({ me, agent, isManager, isBusy }: HeadProps) => (
  <header>
    <span aria-hidden="true" className="face">
      <Avatar actor={agentActor(agent)} busy={isBusy} />
    </span>
    <div>
      <Link href="/agents" className="up">
        {t('common.agents')}
      </Link>
      <div className="titles">
        <h1 dir="auto">{agent.name}</h1>
        <Badge agent={agent} />
        <span role="status">
          <Presence agent={agent} />
        </span>
        <PausedNote of={agent} />
      </div>
    </div>
    {isManager && <PauseAgent agent={agent} />}
    {isManager && <AgentMenu me={me} agent={agent} />}
  </header>
)

function Facts({ me, agent, isManager }: Omit<HeadProps, 'isBusy'>) {
  const owners = useOwners(agent.team_id)
  const { owner_id, kind, hasMcpToken, scopes, created_at } = agent
  const role = me.teams.find(({ team_id }) => team_id === agent.team_id)?.role
  const created = agoText(created_at)
  return (
    <Block title={t('agents.profile')}>
      <dl>
        <dt>{t('agents.owner')}</dt>
        <dd>
          {owner_id === me.profile.user_id
            ? t('common.you')
            : (owners.get(owner_id) ?? t('common.former_member'))}
        </dd>
        <dt>{t('common.boards')}</dt>
        <dd>{boardsText(me, agent)}</dd>
        <dt>{t('agents.credential')}</dt>
        <dd>
          {kind === 'native'
            ? t('agents.none_corkboard_runs_it')
            : hasMcpToken
              ? t('agents.has_a_credential')
              : t('agents.has_no_credential')}
        </dd>
        <dt>{t('agents.budget')}</dt>
        <dd>{budgetText(agent)}</dd>
        <dt>{t('common.created')}</dt>
        <dd>
          <time dateTime={created_at} title={created.full}>
            {created.short}
          </time>
        </dd>
        <dt>{t('agents.access')}</dt>
        <dd>
          <details>
            <summary>{scopesText(agent)}</summary>
            <ul>
              {SCOPES.filter(([scope]) => scopes.includes(scope)).map(([scope, description]) => (
                <li key={scope}>{description}</li>
              ))}
            </ul>
          </details>
        </dd>
      </dl>
      {agent.instructions && (
        <details>
          <summary>{t('agents.instructions')}</summary>
          <p className="instructions" dir="auto">
            {agent.instructions}
          </p>
        </details>
      )}
      {isManager && (role === 'owner' || role === 'admin') && (
        <Link href={`/settings/audit/${agent.team_id}`}>{t('agents.audit_log')}</Link>
      )}
    </Block>
  )
}
