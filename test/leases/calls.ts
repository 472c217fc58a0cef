import type { Client } from '../../src/catalog.ts'
import { Fault } from '../../src/kernel/fault.ts'
import type { LeaseRequest, LeaseResponse } from './history.ts'
import { PERSON } from './model.ts'

/** The operations that these tests call, on any surface. */
export type LeaseClient = Pick<
  Client,
  | 'projects.create'
  | 'tasks.create'
  | 'leases.claim'
  | 'leases.heartbeat'
  | 'leases.release'
  | 'leases.get'
  | 'tasks.get'
  | 'tasks.next'
  | 'tasks.update'
  | 'tasks.hand_over'
  | 'comments.add'
>

export interface Board {
  agents: ReadonlyMap<string, LeaseClient>
  person: LeaseClient
  project_id: number
  open: number
  done: number
}

interface ActResult {
  ticketNumber: string | undefined
  response: LeaseResponse
}

/** Makes the call and translates its response into the terms of the model. */
export async function performCall(board: Board, request: LeaseRequest, ticketNumber: string) {
  const { ticketNumber: task, response } = await act(board, request, ticketNumber).catch(
    (error) => ({
      ticketNumber,
      response: refusalResponse(request, error),
    }),
  )
  return { task, response }
}

async function act(board: Board, request: LeaseRequest, ticketNumber: string): Promise<ActResult> {
  if (request.kind === 'next') return next(board, request)
  return { ticketNumber, response: await actOn(board, request, ticketNumber) }
}

async function actOn(
  board: Board,
  request: LeaseRequest,
  ticket_number: string,
): Promise<LeaseResponse> {
  const { person } = board
  const clientOf = (actor: string) => (actor === PERSON ? person : board.agents.get(actor)!)
  switch (request.kind) {
    case 'claim':
    case 'next': {
      const ttlField = ttlFields(request)
      return leasedResponse(
        await clientOf(request.actor)['leases.claim']({ ticket_number, ...ttlField }),
      )
    }
    case 'heartbeat': {
      const { lease: lease_id, ttl } = request
      const ttlField = ttl === undefined ? {} : { ttl }
      return leasedResponse(
        await clientOf(request.actor)['leases.heartbeat']({ lease_id, ...ttlField }),
      )
    }
    case 'release':
      await clientOf(request.actor)['leases.release']({ lease_id: request.lease })
      return { outcome: 'released' }
    case 'write':
    case 'finish': {
      const leaseField = request.lease === undefined ? {} : { lease_id: request.lease }
      const change =
        request.kind === 'write' ? { title: request.value } : { section_id: board.done }
      await clientOf(request.actor)['tasks.update']({ ticket_number, ...change, ...leaseField })
      return { outcome: 'accepted' }
    }
    case 'hand over': {
      const leaseField = request.lease === undefined ? {} : { lease_id: request.lease }
      const handOver = { ticket_number, to: 'owner', note: 'Yours now', ...leaseField }
      await clientOf(request.actor)['tasks.hand_over'](handOver)
      return { outcome: 'accepted' }
    }
    case 'note':
      await clientOf(request.actor)['comments.add']({ ticket_number, text: 'At it' })
      return { outcome: 'accepted' }
    case 'reopen':
      await person['tasks.update']({ ticket_number, section_id: board.open })
      return { outcome: 'accepted' }
    case 'read':
    case 'look':
      return readTask(board, request.kind, ticket_number)
  }
}

const ttlFields = ({ owner, ttl }: Extract<LeaseRequest, { kind: 'claim' | 'next' }>) => ({
  ...(owner !== null && { owner_id: owner }),
  ...(ttl !== undefined && { ttl }),
})

interface LeaseReceipt {
  lease_id: string
  fencing_token: number
  expires_at: string
}

const leasedResponse = ({
  lease_id: lease,
  fencing_token: fence,
  expires_at,
}: LeaseReceipt): LeaseResponse => ({
  ...{ outcome: 'leased', lease, fence },
  expires: Date.parse(expires_at),
})

async function next(
  { agents, project_id }: Board,
  request: Extract<LeaseRequest, { kind: 'claim' | 'next' }>,
): Promise<ActResult> {
  // A task that was handed over is assigned to a person.
  const assignee = 'any' as const
  const query = { project_id, claim: true, assignee, ...ttlFields(request) }
  const { items } = await agents.get(request.actor)!['tasks.next'](query)
  const [row] = items
  if (!row) return { ticketNumber: undefined, response: { outcome: 'nothing' } }
  return { ticketNumber: row.ticket_number, response: leasedResponse(row.lease!) }
}

async function readTask({ person, done }: Board, kind: 'read' | 'look', ticket_number: string) {
  if (kind === 'read') {
    const [task] = [await person['tasks.get']({ ticket_number })].flat()
    const { title, section_id } = task!
    return { outcome: 'value', value: title, done: section_id === done } as const
  }
  const { lease } = await person['leases.get']({ ticket_number })
  if (!lease) return { outcome: 'lease', holder: null } as const
  const holder = { actor: lease.holder.name, owner: lease.owner_id }
  return { outcome: 'lease', holder, expires: Date.parse(lease.expires_at) } as const
}

/** Errors other than the refusals that the model knows are thrown, so that the test fails. */
function refusalResponse({ kind }: LeaseRequest, error: unknown): LeaseResponse {
  if (!(error instanceof Fault)) throw error
  const { code, details } = error
  if (code === 'lease_missing') return { outcome: 'missing' }
  if (code === 'conflict' && typeof details.expires_at === 'string')
    return { outcome: 'held', expires: Date.parse(details.expires_at) }
  const isStale = code === 'conflict' || code === 'not_found'
  if (isStale && details.field === 'lease_id') return { outcome: 'stale' }
  if (code === 'conflict' && kind === 'claim') return { outcome: 'closed' }
  throw error
}
