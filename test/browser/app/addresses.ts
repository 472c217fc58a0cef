import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instance } from '../../../scripts/screens/instances.ts'

const webFolder = join(import.meta.dir, '../../../src/web')
const read = (file: string) => readFileSync(join(webFolder, file), 'utf8')

const namesIn = (file: string, pattern: RegExp): string[] => {
  const names = [...read(file).matchAll(pattern)].map(([, name]) => name!)
  if (names.length < 2) throw new Error(`src/web/${file} contains no addresses`)
  return names
}

/** The route patterns that the app declares. */
export const routes = (): string[] => namesIn('shell/app.tsx', /<Route path="([^"]+)"/g)

/** The names of the settings, and of the settings of a board, as in their URLs. */
const settings = () => namesIn('screens/settings/screen.tsx', /^ {2}'?([\w-]+)'?: \{/gm)
const boardSettings = () => namesIn('screens/settings/board.tsx', /^ {2}([\w-]+): \[t\('/gm)

interface Ids {
  board: number
  ticket: string
  page: number | string
  agent: string
  run: number
  report: string
}

/**
 * Every address of the app, with each of its tabs and layouts. Throws for a route
 * with parameters that is missing here, so no new route is left out.
 */
function addressesOf({ board, ticket, page, agent, run, report }: Ids): string[] {
  const boardPath = `/projects/${board}`
  const variants: Record<string, readonly string[]> = {
    '/projects/:id': [
      ...['', '?layout=list', '?lanes=assignee', '?layout=calendar', '?layout=timeline'],
      ...[`?task=${ticket}`, `?layout=list&task=${ticket}`, '?connect'],
    ].map((query) => boardPath + query),
    '/t/:key': [`/t/${ticket}`],
    '/p/:page': [`/p/${page}`, `/p/${page}?version=`, `/p/new?on=${ticket}`],
    '/agents/:id?': ['/agents', `/agents/${agent}`],
    '/runs/:id': [`/runs/${run}`],
    '/search': ['/search', '/search?q=export'],
    '/archive': ['/archive', '/archive?show=boards', '/archive?q=nothing'],
    '/reports/:report_id?': [
      ...['time', 'flow', 'saved'].map((of) => `/reports?of=${of}`),
      `/reports/${report}`,
    ],
    '/settings/:part?/:id?': [
      ...settings().map((part) => `/settings/${part}`),
      ...boardSettings().map((of) => `/settings/board/${board}?of=${of}`),
    ],
  }
  return routes().flatMap((route) => {
    if (variants[route]) return variants[route]
    if (route.includes(':')) throw new Error(`Add an address for the route ${route}`)
    return [route]
  })
}

/** The addresses of the demo. The task is the one with the most comments. */
export async function addressesIn(instance: Instance): Promise<string[]> {
  const fetchData = (path: string) => instance.call('GET', `/api/v1${path}`)
  const { team_id } = (await instance.call('GET', '/api/v1/user/context')).teams[0]
  const [agent] = await fetchData(`/agents?team_id=${team_id}&limit=1`)
  const [run] = await fetchData(`/projects/${instance.project_id}/sessions?limit=1`)
  const [report] = await fetchData(`/projects/${instance.project_id}/reports?limit=1`)
  const tasks: { ticket_number: string; comment_count: number }[] =
    await fetchData('/tasks?limit=50')
  const [mostDiscussed] = tasks.toSorted((a, b) => b.comment_count - a.comment_count)
  const pages = await Promise.all(
    tasks.map(({ ticket_number }) => fetchData(`/tasks/${ticket_number}/pages`)),
  )
  return addressesOf({
    ...{
      board: instance.project_id,
      ticket: mostDiscussed!.ticket_number,
      page: pages.flat()[0].page_id,
    },
    ...{ agent: agent.agent_id, run: run.run_id, report: report.report_id },
  })
}
