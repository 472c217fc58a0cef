/** Runs in a worker of the server: the library, and nothing else. */
import { Vectors } from '../vectors/index.ts'
import { Keeper } from './keeper.ts'
import type { Shelves } from './shelves.ts'
import { type Asking, type Level, type Opening, plain, type Told } from './wire.ts'

declare const self: Worker

const tell = (told: Told) => self.postMessage(told)

const log = (level: Level) => (about: object, text: string) => {
  const { err, ...rest } = about as { err?: unknown }
  tell({ level, about: err ? { ...rest, err: plain(err) } : rest, text })
}

let shelves: Shelves | undefined

async function answer({ id, call, input }: Asking) {
  try {
    tell({ id, value: await shelves![call](input as never) })
  } catch (error) {
    tell({ id, error: plain(error) })
  }
}

self.onmessage = ({ data }: MessageEvent<{ open: Opening } | Asking>) => {
  if ('open' in data) {
    const told = { info: log('info'), warn: log('warn'), error: log('error') }
    const { embeddings: endpoint, ...opening } = data.open
    const { memory } = opening
    shelves = new Keeper({
      ...{ ...opening, log: told },
      ...(endpoint && { meanings: (db) => new Vectors({ db, endpoint, memory, log: told }) }),
    })
  } else void answer(data)
}
