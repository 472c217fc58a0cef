import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { callOperation, type Output } from '../../data/client.ts'
import type { Agent } from '../../entities/agent/descriptions.ts'
import { isHeldBy, useLeases } from '../../entities/agent/leases.ts'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { rich, t } from '../../messages/t.ts'
import { Empty, ListSkeleton } from './empty.tsx'
import { useAgentKeys } from './keys.ts'
import { useOwners } from './owners.ts'
import { AgentRow } from './row.tsx'
import { openRunByAgent, useRuns } from './runs.ts'
import { ON_AGENTS } from './shortcuts.ts'

const CreateAgent = lazyComponent(() => import('./create.tsx'))

/** Presence expires after a minute, so the list is polled. */
const REFRESH_MS = 30_000
const STATES = ['active', 'inactive', 'archived'] as const
type State = (typeof STATES)[number]
const TITLES: Record<State, string> = {
  active: t('agents.active'),
  inactive: t('agents.switched_off'),
  archived: t('common.archived'),
}

/** The agents of a team with their leases and presence. */
export function AgentsList({ me }: { me: Me }) {
  const [query, setQuery] = useSearchParams()
  const state = STATES.find((one) => one === query.get('state')) ?? 'active'
  const team = me.teams.find(({ team_id }) => String(team_id) === query.get('team')) ?? me.teams[0]
  const [isCreating, setCreating] = useState(false)
  const [, go] = useLocation()
  const canCreate = team?.role !== 'guest' && me.permissions.includes('agents:manage')
  useAgentKeys(() => canCreate && setCreating(true))
  const setParam = (name: string, value: string) =>
    setQuery((previous) => {
      previous.set(name, value)
      return previous
    })
  if (!team) return <p className="agents-none">{t('agents.you_are_not_in_any_team_so')}</p>
  return (
    <section className="agents scroller">
      <header>
        <h1>{t('common.agents')}</h1>
        <States state={state} onChange={(next) => setParam('state', next)} />
        {me.teams.length > 1 && (
          <Teams teams={me.teams} team_id={team.team_id} onChange={(id) => setParam('team', id)} />
        )}
        {canCreate && (
          <button type="button" className="button main" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {rich('agents.new_agent_hint', { hint: <kbd>{hintOf(ON_AGENTS.create)}</kbd> })}
          </button>
        )}
      </header>
      <Rows key={`${team.team_id} ${state}`} {...{ me, team_id: team.team_id, state, canCreate }} />
      {isCreating && (
        <Suspense>
          <CreateAgent
            {...{ me, team_id: team.team_id }}
            onClose={() => setCreating(false)}
            onCreate={(agent_id) => go(`/agents/${agent_id}`)}
          />
        </Suspense>
      )}
    </section>
  )
}

const States = ({ state, onChange }: { state: State; onChange(state: State): void }) => (
  <fieldset className="states segments">
    <legend className="unseen">{t('common.state')}</legend>
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
    aria-label={t('common.team')}
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
  canCreate: boolean
}

function Rows({ me, team_id, state, canCreate }: RowsProps) {
  const list = useAgents(team_id, state)
  const boards = me.boards.filter((one) => one.team_id === team_id)
  const { leases } = useLeases(team_id)
  const { runs, isPending } = useRuns(boards)
  const openRuns = openRunByAgent(runs)
  const owners = useOwners(team_id)
  if (list.error && !list.data) return <LoadError of={list} what={t('agents.agents')} />
  // Waits for the runs too, because each row shows its run.
  if (!list.data || isPending) return <ListSkeleton />
  const agents = list.data.pages.flatMap(({ items }) => items)
  if (!agents.length) return <Empty state={state} canCreate={canCreate} />
  return (
    <>
      <ul className="rows">
        {agents.map((agent) => (
          <AgentRow
            key={agent.agent_id}
            {...{ me, agent, owner: owners.get(agent.owner_id) }}
            leases={leases.filter((lease) => isHeldBy(lease, agent.agent_id))}
            run={openRuns.get(agent.agent_id)}
          />
        ))}
      </ul>
      {list.data && <LoadError of={list} what={t('agents.more_agents')} />}
      {list.hasNextPage && (
        <button
          type="button"
          className="button plain more"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('common.show_more')}
        </button>
      )}
    </>
  )
}

/** The agents in one state, page by page. */
const useAgents = (team_id: number, state: State) =>
  useInfiniteQuery({
    queryKey: ['agents.list', { team_id, state, limit: 50 }],
    queryFn: ({ pageParam, signal }) =>
      callOperation(
        'agents.list',
        { team_id, state, limit: 50, ...pageParam },
        { signal },
      ) as Promise<Output<'agents.list'> & { items: Agent[] }>,
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ page }) =>
      page.next_cursor === null ? undefined : { cursor: page.next_cursor },
    refetchInterval: REFRESH_MS,
  })
