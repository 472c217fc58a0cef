import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { forgetSaved } from '../../data/offline-end.ts'
import { basePath } from '../../kit/base-path.ts'

export type Me = Output<'user_context.get'>

export const useMe = () => useOperation('user_context.get', {}).data

/** Submits a form, because only a form may end a session. */
export function signOut() {
  forgetSaved()
  const form = document.createElement('form')
  form.method = 'post'
  form.action = `${basePath}/sign-out`
  document.body.append(form)
  form.submit()
}

/** Guests cannot create boards or connect agents. */
export const mayOpenBoards = ({ teams, permissions }: Me): boolean =>
  permissions.includes('projects:write') && !(teams.length && teams.every(isGuest))
export const mayConnect = ({ teams: [team], permissions }: Me): boolean =>
  permissions.includes('agents:manage') && team !== undefined && !isGuest(team)
const isGuest = ({ role }: Me['teams'][number]) => role === 'guest'

/** The teams whose owner or admin the user is. Only they import. */
export const managedTeams = ({ teams, permissions }: Me): Me['teams'] =>
  permissions.includes('teams:manage')
    ? teams.filter(({ role }) => role === 'owner' || role === 'admin')
    : []
