import { catalog } from '../../src/catalog.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { dispatcher } from '../../src/kernel/dispatch.ts'
import { createServer } from '../../src/server/app.ts'
import { ReaderThreads } from '../../src/server/readers.ts'
import { addCleanup } from '../support/database.ts'
import { world } from '../support/world.ts'

const boardOperation = catalog.find(({ name }) => name === 'projects.board')!

/** A full world with a dispatch that uses reader threads. */
export async function worldWithReaders(threads = 1) {
  const w = await world({ full: true })
  const { store, config, key } = w
  const clock = w.clock.read
  const server = createServer({ config, key })
  const readers = new ReaderThreads({ path: w.where.path, threads, clock, server })
  addCleanup(() => readers.stop())
  const dispatch = dispatcher({ store, clock, server, readers, guards: {} })
  const readBoard = (caller: Caller = w.cleo.caller) =>
    dispatch(caller, boardOperation, { project_id: w.board.project_id })
  return { ...w, readers, threadDispatch: dispatch, readBoard }
}
