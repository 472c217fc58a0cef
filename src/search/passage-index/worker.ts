/** The entry point of the workers that run the index. */
import '../../kernel/compressed-modules.ts'
import { lowerPriority } from '../../kernel/pool/worker-threads.ts'
import { VectorIndex } from '../vectors/index.ts'
import { IndexReader } from './index-reader.ts'
import { LocalIndex } from './local-index.ts'
import {
  type Call,
  errorData,
  type Level,
  type WorkerMessage,
  type WorkerRequest,
  type WorkerSetup,
} from './messages.ts'

declare const self: Worker

lowerPriority()

const send = (message: WorkerMessage) => self.postMessage(message)

const log = (level: Level) => (about: object, text: string) => {
  const { err, ...rest } = about as { err?: unknown }
  send({ level, about: err ? { ...rest, err: errorData(err) } : rest, text })
}

type Methods = { [Name in Call]?: (input: never) => unknown }

let index: Methods | undefined

async function handle({ id, call, input }: WorkerRequest) {
  try {
    send({ id, value: await index![call]!(input as never) })
  } catch (error) {
    send({ id, error: errorData(error) })
  }
}

function open({ embeddings: endpoint, isReader, ...options }: WorkerSetup): Methods {
  const logger = { info: log('info'), warn: log('warn'), error: log('error') }
  if (isReader) return new IndexReader({ ...options, log: logger })
  const { memory } = options
  return new LocalIndex({
    ...options,
    log: logger,
    onChange: (changes) => send({ changes }),
    ...(endpoint && { vectors: (db) => new VectorIndex({ db, endpoint, memory, log: logger }) }),
  })
}

self.onmessage = ({ data }: MessageEvent<{ open: WorkerSetup } | WorkerRequest>) => {
  if ('open' in data) index = open(data.open)
  else void handle(data)
}
