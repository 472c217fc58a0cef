import { Link, useLocation, useSearchParams } from 'wouter'
import { useOperation } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { isHeldBy, useLeases } from '../entities/agent/leases.ts'
import { useOpenTask } from '../entities/task/open-task.ts'
import { Avatar } from '../entities/user/avatar.tsx'
import { type Me, mayConnect } from '../entities/user/me.ts'
import { agoText } from '../kit/dates.ts'
import { Icon } from '../kit/icon.tsx'
import { t } from '../messages/t.ts'

type Agent = Output<'agents.presence'>['items'][number]

/** The server considers an agent present for a minute. */
const POLL_MS = 60_000

/** The agents of the team, and the tasks that they work on. */
export function Agents({ me }: { me: Me }) {
  const connect = useConnectAddress()
  const team_id = me.teams[0]?.team_id ?? 0
  const { data: presence } = useOperation(
    'agents.presence',
    { team_id },
    { enabled: team_id > 0, pollMs: POLL_MS },
  )
  const { leases: activeLeases } = useLeases(team_id)
  const agents = presence?.items.filter(({ state }) => state === 'active')
  return (
    <>
      <h2>
        <span>{t('common.agents')}</span>
        {mayConnect(me) && (
          <Link href={connect} className="button quiet only">
            <Icon name="plus" label={t('shell.connect_an_agent')} />
          </Link>
        )}
      </h2>
      <ul>
        {agents?.map((agent) => (
          <li key={agent.agent_id}>
            <AgentItem
              agent={agent}
              ticket={activeLeases.find((lease) => isHeldBy(lease, agent.agent_id))?.ticket_number}
            />
          </li>
        ))}
        {agents?.length === 0 && mayConnect(me) && (
          <li>
            <Link href={connect} className="place away">
              <Icon name="arrow" />
              <span className="name truncate">{t('common.connect_your_agent')}</span>
            </Link>
          </li>
        )}
      </ul>
    </>
  )
}

/** The current address plus the parameter that opens the dialog for connecting an agent. */
function useConnectAddress(): string {
  const [path] = useLocation()
  const [query] = useSearchParams()
  return `${path}?${new URLSearchParams({ ...Object.fromEntries(query), connect: '' })}`
}

function AgentItem({ agent, ticket }: { agent: Agent; ticket: string | undefined }) {
  const open = useOpenTask()
  const content = (
    <>
      <span aria-hidden="true">
        <Avatar actor={{ kind: 'agent', ...agent }} busy={ticket !== undefined} />
      </span>
      <span className="name truncate">{agent.name}</span>
    </>
  )
  if (!ticket)
    return (
      <Link
        href={`/agents/${agent.agent_id}`}
        className={`place${agent.present ? '' : ' away'}`}
        data-actor={agent.agent_id}
        title={lastSeenText(agent)}
      >
        {content}
      </Link>
    )
  return (
    <button
      type="button"
      className="place"
      data-actor={agent.agent_id}
      title={t('shell.name_is_working_on_ticket', { name: agent.name, ticket })}
      onClick={() => open(ticket)}
    >
      {content}
      <span className="ticket">{ticket}</span>
    </button>
  )
}

function lastSeenText({ name, present, last_seen_at: lastSeen }: Agent): string {
  if (present) return t('shell.name_is_online', { name })
  return lastSeen
    ? t('shell.name_was_last_seen_short', { name, short: agoText(lastSeen).short })
    : t('shell.name_has_not_connected_yet', { name })
}
