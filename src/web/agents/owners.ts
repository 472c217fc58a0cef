import { useAsk } from '../data/cache.ts'

/** Names of the people of a team, by their numbers. */
export function useOwners(team_id: number): ReadonlyMap<number, string> {
  const { data } = useAsk('teams.members', { team_id, limit: 50 })
  return new Map(data?.items.map(({ user_id = 0, name }) => [user_id, name]))
}
