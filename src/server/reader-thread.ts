/** A thread that runs heavy reads on its own connection, one at a time. */
import '../kernel/compressed-modules.ts'
import { catalog } from '../catalog.ts'
import type { Server } from '../kernel/caller.ts'
import { dispatcher, type Store } from '../kernel/dispatch.ts'
import { toJson } from '../kernel/json.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { answerWith } from '../kernel/pool/answer.ts'
import { lowerPriority } from '../kernel/pool/worker-threads.ts'
import { openReader } from '../store/sqlite.ts'
import type { ReadAnswer, ReaderServer, ReadRequest } from './readers.ts'

declare const self: Worker

lowerPriority()

const operations = new Map(catalog.map((op): [string, AnyOperation] => [op.name, op]))
let store: Store | undefined

const answer = answerWith(async ({ path, read }: ReadRequest): Promise<ReadAnswer | undefined> => {
  store ??= readOnly(openReader(path))
  if (!read) return undefined
  const { caller, operation, input, now, server } = read
  const clock = () => new Date(now)
  const dispatch = dispatcher({ store, clock, server: onlyFor(server), guards: {} })
  const { data, page, warnings } = await dispatch(caller, operations.get(operation)!, input)
  return { dataText: toJson(data), ...(page && { page }), ...(warnings && { warnings }) }
})

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))

/** Adds the writing methods of a store. They throw, because a reader thread must not write. */
function readOnly(reader: Pick<Store, 'read'>): Store {
  const refuse = async () => {
    throw new Error('A reader thread cannot write')
  }
  return { ...reader, write: refuse, append: refuse, idempotent: refuse, inSavepoint: refuse }
}

/** Throws when an operation uses a field of the server that this thread does not have. */
const onlyFor = (fields: ReaderServer): Server =>
  new Proxy(fields as Server, {
    get(target, name) {
      if (name in target) return target[name as keyof Server]
      throw new Error(`A reader thread has no server.${String(name)}`)
    },
  })
