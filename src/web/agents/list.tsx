import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ask, type Output } from '../data/client.ts'
import { hintOf } from '../frame/keys.ts'
import type { Me } from '../frame/places.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { part } from '../parts/part.ts'
import { Empty, Shape } from './empty.tsx'
import { isHolder, useHeld } from './held.ts'
import { useAgentKeys } from './keys.ts'
import { useOwners } from './owners.ts'
import { AgentRow } from './row.tsx'
import { atWorkOn, useRuns } from './runs.ts'
import { ON_AGENTS } from './table.ts'
import type { Agent } from './words.ts'

const CreateAgent = part(() => import('./create.tsx'))

/** Whether one is there is known for a minute. */
const AGAIN_MS = 30_000
const STATES = ['active', 'inactive', 'archived'] as const
type State = (typeof STATES)[number]
const TITLES: Record<State, string> = {
  active: 'Active',
  inactive: 'Switched off',
  archived: 'Archived',
}

/** Who works for the team, what each has taken, and whether it is there. */
export function AgentsList({ me }: { me: Me }) {
  const [query, setQuery] = useSearchParams()
  const state = STATES.find((one) => one === query.get('state')) ?? 'active'
  const team = me.teams.find(({ team_id }) => String(team_id) === query.get('team')) ?? me.teams[0]
  const [isMaking, setMaking] = useState(false)
  const [, go] = useLocation()
  const mayMake = team?.role !== 'guest' && me.permissions.includes('agents:manage')
  useAgentKeys(() => mayMake && setMaking(true))
  const put = (name: string, value: string) =>
    setQuery((now) => {
      now.set(name, value)
      return now
    })
  if (!team) return <p className="agents-none">You are in no team, so there are no agents here.</p>
  return (
    <section className="agents">
      <header>
        <h1>Agents</h1>
        <States state={state} onChange={(next) => put('state', next)} />
        {me.teams.length > 1 && (
          <Teams teams={me.teams} team_id={team.team_id} onChange={(id) => put('team', id)} />
        )}
        {mayMake && (
          <button type="button" className="button main" onClick={() => setMaking(true)}>
            <Icon name="plus" />
            New agent <kbd>{hintOf(ON_AGENTS.create)}</kbd>
          </button>
        )}
      </header>
      <Rows key={`${team.team_id} ${state}`} {...{ me, team_id: team.team_id, state, mayMake }} />
      {isMaking && (
        <Suspense>
          <CreateAgent
            {...{ me, team_id: team.team_id }}
            onClose={() => setMaking(false)}
            onMade={(agent_id) => go(`/agents/${agent_id}`)}
          />
        </Suspense>
      )}
    </section>
  )
}

const States = ({ state, onChange }: { state: State; onChange(state: State): void }) => (
  <fieldset className="states">
    <legend className="unseen">Which agents</legend>
    {STATES.map((one) => (
      <button key={one} type="button" aria-pressed={one === state} onClick={() => onChange(one)}>
        {TITLES[one]}
      </button>
    ))}
  </fieldset>
)

interface TeamsProps {
  teams: Me['teams']
  team_id: number
  onChange(team_id: string): void
}

const Teams = ({ teams, team_id, onChange }: TeamsProps) => (
  <select
    className="field"
    aria-label="Team"
    value={team_id}
    onChange={({ target }) => onChange(target.value)}
  >
    {teams.map((one) => (
      <option key={one.team_id} value={one.team_id}>
        {one.name}
      </option>
    ))}
  </select>
)

interface RowsProps {
  me: Me
  team_id: number
  state: State
  mayMake: boolean
}

function Rows({ me, team_id, state, mayMake }: RowsProps) {
  const list = useAgents(team_id, state)
  const boards = me.boards.filter((one) => one.team_id === team_id)
  const { held } = useHeld(team_id)
  const { runs, isPending } = useRuns(boards)
  const open = atWorkOn(runs)
  const owners = useOwners(team_id)
  if (list.error && !list.data) return <LoadError of={list} what="agents" />
  // Whole at once: what each is at stands in its row.
  if (!list.data || isPending) return <Shape />
  const agents = list.data.pages.flatMap(({ items }) => items)
  if (!agents.length) return <Empty state={state} mayMake={mayMake} />
  return (
    <>
      <ul className="rows">
        {agents.map((agent) => (
          <AgentRow
            key={agent.agent_id}
            {...{ me, agent, owner: owners.get(agent.owner_id) }}
            held={held.filter((one) => isHolder(one, agent.agent_id))}
            run={open.get(agent.agent_id)}
          />
        ))}
      </ul>
      {list.data && <LoadError of={list} what="more agents" />}
      {list.hasNextPage && (
        <button
          type="button"
          className="button plain more"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </button>
      )}
    </>
  )
}

/** Those in one state, page by page. */
const useAgents = (team_id: number, state: State) =>
  useInfiniteQuery({
    queryKey: ['agents.list', { team_id, state, limit: 50 }],
    queryFn: ({ pageParam, signal }) =>
      ask('agents.list', { team_id, state, limit: 50, ...pageParam }, { signal }) as Promise<
        Output<'agents.list'> & { items: Agent[] }
      >,
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ page }) =>
      page.next_cursor === null ? undefined : { cursor: page.next_cursor },
    refetchInterval: AGAIN_MS,
  })
