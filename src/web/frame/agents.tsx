import { Link, useLocation, useSearchParams } from 'wouter'
import { isHolder, useHeld } from '../agents/held.ts'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { Avatar } from '../parts/avatar.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { type Me, mayConnect, useOpenTask } from './places.ts'

type Agent = Output<'agents.presence'>['items'][number]

/** Whether one is there is known for a minute. */
const AGAIN_MS = 60_000

/** The agents of the team, and the tasks that they hold now. */
export function Agents({ me }: { me: Me }) {
  const connect = useConnect()
  const team_id = me.teams[0]?.team_id ?? 0
  const { data: presence } = useAsk(
    'agents.presence',
    { team_id },
    { enabled: team_id > 0, every: AGAIN_MS },
  )
  const { held } = useHeld(team_id)
  const agents = presence?.items.filter(({ state }) => state === 'active')
  return (
    <>
      <h2>
        <span>Agents</span>
        {mayConnect(me) && (
          <Link href={connect} className="button quiet only">
            <Icon name="plus" label="Connect an agent" />
          </Link>
        )}
      </h2>
      <ul>
        {agents?.map((agent) => (
          <li key={agent.agent_id}>
            <AgentPlace
              agent={agent}
              ticket={held.find((one) => isHolder(one, agent.agent_id))?.ticket_number}
            />
          </li>
        ))}
        {agents?.length === 0 && mayConnect(me) && (
          <li>
            <Link href={connect} className="place away">
              <Icon name="arrow" />
              <span className="name">Connect your agent</span>
            </Link>
          </li>
        )}
      </ul>
    </>
  )
}

/** Here, as it is shown now, with the way to connect an agent above it. */
function useConnect(): string {
  const [here] = useLocation()
  const [query] = useSearchParams()
  return `${here}?${new URLSearchParams({ ...Object.fromEntries(query), connect: '' })}`
}

function AgentPlace({ agent, ticket }: { agent: Agent; ticket: string | undefined }) {
  const open = useOpenTask()
  const inside = (
    <>
      <span aria-hidden="true">
        <Avatar actor={{ kind: 'agent', ...agent }} busy={ticket !== undefined} />
      </span>
      <span className="name">{agent.name}</span>
    </>
  )
  if (!ticket)
    return (
      <Link
        href={`/agents/${agent.agent_id}`}
        className={`place${agent.present ? '' : ' away'}`}
        title={seenWords(agent)}
      >
        {inside}
      </Link>
    )
  return (
    <button
      type="button"
      className="place"
      title={`${agent.name} works on ${ticket}`}
      onClick={() => open(ticket)}
    >
      {inside}
      <span className="held">{ticket}</span>
    </button>
  )
}

function seenWords({ name, present, last_seen_at: at }: Agent): string {
  if (present) return `${name} is here`
  return at ? `${name} was here ${agoWords(at).short}` : `${name} has not called yet`
}
