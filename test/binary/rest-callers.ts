import { Fault, type FaultCode } from '../../src/kernel/fault.ts'
import { AGENTS, type Team } from '../leases/boards.ts'
import type { LeaseClient } from '../leases/calls.ts'
import { type InitResult, sendRequest } from './cork.ts'

/** The route of each operation; fields in the path are left out of the body. */
const ROUTES: Record<keyof LeaseClient, string> = {
  'projects.create': 'POST /api/v1/projects',
  'tasks.create': 'POST /api/v1/tasks',
  'tasks.get': 'GET /api/v1/tasks/:ticket_number',
  'tasks.update': 'PATCH /api/v1/tasks/:ticket_number',
  'tasks.next': 'POST /api/v1/projects/:project_id/next',
  'tasks.hand_over': 'POST /api/v1/tasks/:ticket_number/hand-over',
  'comments.add': 'POST /api/v1/tasks/:ticket_number/comments',
  'leases.claim': 'POST /api/mcp/tasks/lease/claim',
  'leases.heartbeat': 'POST /api/mcp/tasks/lease/heartbeat',
  'leases.release': 'POST /api/mcp/tasks/lease/release',
  'leases.get': 'GET /api/v1/tasks/:ticket_number/lease',
}
const LISTS = ['tasks.next']

const CODES: Record<number, FaultCode> = { 404: 'not_found', 409: 'conflict', 428: 'lease_missing' }

/** Calls operations over REST with one credential; `server` returns the address for each call. */
export const wayTo = (server: () => string, secret: string): LeaseClient =>
  Object.fromEntries(
    Object.entries(ROUTES).map(([name, route]) => [
      name,
      async (input: Record<string, unknown>) => {
        const [method = '', path = ''] = route.split(' ')
        const left = { ...input }
        const address = path.replace(/:(\w+)/g, (_, field) => {
          delete left[field]
          return String(input[field])
        })
        const body = method === 'GET' ? undefined : left
        const answer = await sendRequest(server(), secret, method, address, body)
        if (answer.status >= 400) throw toFault(answer)
        const { data } = answer.body
        return LISTS.includes(name) ? { items: data } : data
      },
    ]),
  ) as unknown as LeaseClient

const toFault = ({ status, body }: Awaited<ReturnType<typeof sendRequest>>) =>
  new Fault(CODES[status] ?? 'internal', body.message, body.details)

/** A person and agents whose requests go to the servers in turn. */
export async function createAgents(urls: readonly string[], owner: Owner): Promise<Team> {
  const { team_id, api_key } = owner
  const agents = new Map<string, LeaseClient>()
  let requestCount = 0
  const server = () => urls[requestCount++ % urls.length]!
  for (const name of AGENTS) agents.set(name, wayTo(server, await agentOf(urls[0]!, owner, name)))
  return { team_id, person: wayTo(server, api_key), agents }
}

export type Owner = Pick<InitResult, 'team_id' | 'api_key'>

/** The token of a new agent. */
export async function agentOf(url: string, { team_id, api_key }: Owner, name: string) {
  const { body } = await sendRequest(url, api_key, 'POST', '/api/v1/agents', { team_id, name })
  return body.data.token as string
}
