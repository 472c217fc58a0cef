import { useLocation, useSearchParams } from 'wouter'
import type { Output } from '../data/client.ts'

export type Me = Output<'user_context.get'>

/** The id of the board that is shown, if any. */
export const boardAt = (path: string): number | undefined => {
  const [, id] = /^\/projects\/(\d+)/.exec(path) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Screens that can show the task panel; on others a task opens as a page. */
const HAS_TASK_PANEL = /^\/(projects\/|my|inbox|reports|search|archive)/

export function useOpenTask() {
  const [path, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  return (key: string) => {
    if (!HAS_TASK_PANEL.test(path)) return navigate(`/t/${key}`)
    setQuery((query) => {
      query.set('task', key)
      return query
    })
  }
}

/** Submits a form, because only a form may end a session. */
export function signOut() {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  document.body.append(form)
  form.submit()
}

/** Guests cannot create boards or connect agents. */
export const mayOpenBoards = ({ teams, permissions }: Me): boolean =>
  permissions.includes('projects:write') && !(teams.length && teams.every(isGuest))
export const mayConnect = ({ teams: [team], permissions }: Me): boolean =>
  permissions.includes('agents:manage') && team !== undefined && !isGuest(team)
const isGuest = ({ role }: Me['teams'][number]) => role === 'guest'
