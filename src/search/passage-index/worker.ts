/** The entry point of the worker that runs the index. */
import { lowerPriority } from '../../kernel/pool/worker-threads.ts'
import { VectorIndex } from '../vectors/index.ts'
import { LocalIndex } from './local-index.ts'
import {
  errorData,
  type Level,
  type WorkerMessage,
  type WorkerRequest,
  type WorkerSetup,
} from './messages.ts'
import type { PassageIndex } from './types.ts'

declare const self: Worker

lowerPriority()

const send = (message: WorkerMessage) => self.postMessage(message)

const log = (level: Level) => (about: object, text: string) => {
  const { err, ...rest } = about as { err?: unknown }
  send({ level, about: err ? { ...rest, err: errorData(err) } : rest, text })
}

let index: PassageIndex | undefined

async function handle({ id, call, input }: WorkerRequest) {
  try {
    send({ id, value: await index![call](input as never) })
  } catch (error) {
    send({ id, error: errorData(error) })
  }
}

self.onmessage = ({ data }: MessageEvent<{ open: WorkerSetup } | WorkerRequest>) => {
  if ('open' in data) {
    const logger = { info: log('info'), warn: log('warn'), error: log('error') }
    const { embeddings: endpoint, ...options } = data.open
    const { memory } = options
    index = new LocalIndex({
      ...options,
      log: logger,
      ...(endpoint && { vectors: (db) => new VectorIndex({ db, endpoint, memory, log: logger }) }),
    })
  } else void handle(data)
}
