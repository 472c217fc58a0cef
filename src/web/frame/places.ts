import { useLocation, useSearchParams } from 'wouter'
import type { Output } from '../data/client.ts'

export type Me = Output<'user_context.get'>

/** The number of the board that is shown, where one is. */
export const boardAt = (path: string): number | undefined => {
  const [, id] = /^\/projects\/(\d+)/.exec(path) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Screens beside which a task can be shown; elsewhere it gets the page for itself. */
const HAS_PEEK = /^\/(projects\/|my|inbox|reports|search|archive)/

export function useOpenTask() {
  const [path, go] = useLocation()
  const [, setQuery] = useSearchParams()
  return (key: string) => {
    if (!HAS_PEEK.test(path)) return go(`/t/${key}`)
    setQuery((query) => {
      query.set('task', key)
      return query
    })
  }
}

/** As the button of the settings does: only a form may end a session. */
export function signOut() {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  document.body.append(form)
  form.submit()
}

/** A guest works on the boards of others, and brings no agents along. */
export const mayOpenBoards = ({ teams, permissions }: Me): boolean =>
  permissions.includes('projects:write') && !(teams.length && teams.every(isGuest))
export const mayConnect = ({ teams: [team], permissions }: Me): boolean =>
  permissions.includes('agents:manage') && team !== undefined && !isGuest(team)
const isGuest = ({ role }: Me['teams'][number]) => role === 'guest'
