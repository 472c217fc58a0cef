import type { Client } from '../../src/catalog.ts'
import { Fault } from '../../src/kernel/fault.ts'
import type { Answered, Asked } from './history.ts'
import { PERSON } from './model.ts'

/** The operations that these tests call, over any surface. */
export type Way = Pick<
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
  | 'comments.add'
>

export interface Board {
  agents: ReadonlyMap<string, Way>
  person: Way
  project_id: number
  open: number
  done: number
}

interface Done {
  about: string | undefined
  answered: Answered
}

/** Makes the call and translates its response into the terms of the model. */
export async function performed(board: Board, asked: Asked, about: string) {
  const { about: task, answered } = await act(board, asked, about).catch((error) => ({
    about,
    answered: refusal(asked, error),
  }))
  return { task, answered }
}

async function act(board: Board, asked: Asked, about: string): Promise<Done> {
  if (asked.kind === 'next') return next(board, asked)
  return { about, answered: await actOn(board, asked, about) }
}

async function actOn(board: Board, asked: Asked, ticket_number: string): Promise<Answered> {
  const { person } = board
  const as = (actor: string) => (actor === PERSON ? person : board.agents.get(actor)!)
  switch (asked.kind) {
    case 'claim':
    case 'next': {
      const term = termOf(asked)
      return leased(await as(asked.actor)['leases.claim']({ ticket_number, ...term }))
    }
    case 'heartbeat': {
      const { lease: lease_id, ttl } = asked
      const term = ttl === undefined ? {} : { ttl }
      return leased(await as(asked.actor)['leases.heartbeat']({ lease_id, ...term }))
    }
    case 'release':
      await as(asked.actor)['leases.release']({ lease_id: asked.lease })
      return { says: 'released' }
    case 'write':
    case 'finish': {
      const named = asked.lease === undefined ? {} : { lease_id: asked.lease }
      const change = asked.kind === 'write' ? { title: asked.value } : { section_id: board.done }
      await as(asked.actor)['tasks.update']({ ticket_number, ...change, ...named })
      return { says: 'accepted' }
    }
    case 'note':
      await as(asked.actor)['comments.add']({ ticket_number, text: 'At it' })
      return { says: 'accepted' }
    case 'reopen':
      await person['tasks.update']({ ticket_number, section_id: board.open })
      return { says: 'accepted' }
    case 'read':
    case 'look':
      return seen(board, asked.kind, ticket_number)
  }
}

const termOf = ({ owner, ttl }: Extract<Asked, { kind: 'claim' | 'next' }>) => ({
  ...(owner !== null && { owner_id: owner }),
  ...(ttl !== undefined && { ttl }),
})

interface Told {
  lease_id: string
  fencing_token: number
  expires_at: string
}

const leased = ({ lease_id: lease, fencing_token: fence, expires_at }: Told): Answered => ({
  ...{ says: 'leased', lease, fence },
  expires: Date.parse(expires_at),
})

async function next(
  { agents, project_id }: Board,
  asked: Extract<Asked, { kind: 'claim' | 'next' }>,
): Promise<Done> {
  const wanted = { project_id, claim: true, ...termOf(asked) }
  const { items } = await agents.get(asked.actor)!['tasks.next'](wanted)
  const [row] = items
  if (!row) return { about: undefined, answered: { says: 'nothing' } }
  return { about: row.ticket_number, answered: leased(row.lease!) }
}

async function seen({ person, done }: Board, kind: 'read' | 'look', ticket_number: string) {
  if (kind === 'read') {
    const [task] = [await person['tasks.get']({ ticket_number })].flat()
    const { title, section_id } = task!
    return { says: 'value', value: title, done: section_id === done } as const
  }
  const { lease } = await person['leases.get']({ ticket_number })
  if (!lease) return { says: 'lease', holder: null } as const
  const holder = { actor: lease.holder.name, owner: lease.owner_id }
  return { says: 'lease', holder, expires: Date.parse(lease.expires_at) } as const
}

/** Errors other than the refusals that the model knows are thrown, so that the test fails. */
function refusal({ kind }: Asked, error: unknown): Answered {
  if (!(error instanceof Fault)) throw error
  const { code, details } = error
  if (code === 'lease_missing') return { says: 'missing' }
  if (code === 'conflict' && typeof details.expires_at === 'string')
    return { says: 'held', expires: Date.parse(details.expires_at) }
  const isStale = code === 'conflict' || code === 'not_found'
  if (isStale && details.field === 'lease_id') return { says: 'stale' }
  if (code === 'conflict' && kind === 'claim') return { says: 'closed' }
  throw error
}
