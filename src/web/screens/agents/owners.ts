import { useOperation } from '../../data/cache.ts'

/** The names of a team's people by user id. */
export function useOwners(team_id: number): ReadonlyMap<number, string> {
  const { data } = useOperation('teams.members', { team_id, limit: 50 })
  return new Map(data?.items.map(({ user_id = 0, name }) => [user_id, name]))
}
