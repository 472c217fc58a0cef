import { syncRepository } from '../../src/features/code/issues/model/index.ts'
import { dueRepositories } from '../../src/features/code/repositories/model/index.ts'
import { createServer } from '../../src/server/app.ts'
import { type FakeKind, FakeRepository, serveCodeHost } from '../support/code-host.ts'
import { waitForFollowers } from '../support/followers.ts'
import { type World, world } from '../support/world.ts'

interface Options {
  label?: string
  /** Fills the repository before it is linked. */
  before?(repository: FakeRepository): void
}

/** A board whose repository at a scripted host is linked, with functions to synchronize them. */
export async function linkedBoard(kind: FakeKind = 'forgejo', { label, before }: Options = {}) {
  const w = await world()
  // Tasks that existed before the link are not offered to the host.
  w.clock.advance(1000)
  w.config.allowHosts.push('127.0.0.1')
  const repository = new FakeRepository(w.clock.read)
  const { url } = serveCodeHost(kind, repository)
  before?.(repository)
  const { team_id } = w
  const { token } = repository
  const host = await w.ada['code_hosts.create']({ team_id, kind, url, token })
  const { project_id } = w.board
  const linked = await w.ada['repositories.link']({
    ...{ project_id, host_id: host.host_id, name: 'acme/site', ...(label && { label }) },
  })
  const work = workerOf(w)
  await work.sync()
  return { w, repository, host, linked, project_id, ...work }
}

/** The worker of a world, and what went wrong in it. */
export function workerOf(w: World) {
  const errors: unknown[] = []
  const services = servicesOf(w)
  const { store, clock } = services
  /** Runs the worker until nothing waits. */
  const sync = async () => {
    for (let rounds = 0; rounds < 50; rounds++) {
      await waitForFollowers(w, 'issues')
      const due = await store.read((tx) => dueRepositories(tx, clock(), 10))
      if (!due.length) return
      for (const id of due)
        await syncRepository(services, id, {
          onError: (error) => void errors.push(error),
          isStopped: () => false,
        })
    }
    throw new Error('The repository always has something to do')
  }
  /** Lets the sweep run, which finds what no webhook reported. */
  const sweep = async () => {
    w.clock.advance(4 * 60_000)
    await sync()
  }
  return { sync, sweep, errors, services }
}

function servicesOf({ store, dispatch, config, key, clock }: World) {
  return { store, dispatch, server: createServer({ config, key }), clock: clock.read }
}

export type LinkedBoard = Awaited<ReturnType<typeof linkedBoard>>

const MAX_ROWS = 50

/** All items of a list, page by page. */
export async function allPages<T>(
  read: (page: { limit: number; offset: number }) => Promise<{ items: T[] }>,
): Promise<T[]> {
  const found: T[] = []
  for (;;) {
    const { items } = await read({ limit: MAX_ROWS, offset: found.length })
    found.push(...items)
    if (items.length < MAX_ROWS) return found
  }
}

export const tasksOf = ({ w, project_id }: LinkedBoard) =>
  allPages((page) => w.ada['tasks.list']({ project_id, ...page }))

export async function taskOf({ w }: LinkedBoard, task_id: number, format?: 'markdown') {
  const found = await w.ada['tasks.get']({ task_id, ...(format && { format }) })
  if (Array.isArray(found)) throw new Error('One task was asked for')
  return found as Extract<typeof found, { description: unknown }>
}
