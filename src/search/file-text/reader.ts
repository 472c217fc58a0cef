import { Fault } from '../../kernel/fault.ts'
import { Pool, type PoolTask } from '../../kernel/pool/pool.ts'

/** Reads the text of a file as HTML. Throws if the file cannot be read. */
export type ReadText = (bytes: Uint8Array, filename: string) => Promise<string>

export interface FileReader {
  read: ReadText
  close(): void
}

interface Limits {
  /** Milliseconds that one file may take. */
  taskMs: number
  /** Bytes by which the memory of the process may grow meanwhile. */
  memory: number
}

const LIMITS: Limits = { taskMs: 20_000, memory: 1_000_000_000 }
const MEMORY_CHECK_MS = 100

/** Reads files in a worker, which is ended when a file takes too much time or memory. */
export function openFileReader(worker: string, limits: Partial<Limits> = {}): FileReader {
  const { taskMs, memory } = { ...LIMITS, ...limits }
  const pool = new Pool(worker, { noun: 'files', threads: 1, taskMs })
  return {
    async read(bytes, filename) {
      const limit = process.memoryUsage.rss() + memory
      const exceeded = Promise.withResolvers<never>()
      const watch = setInterval(() => {
        if (process.memoryUsage.rss() < limit) return
        exceeded.reject(new Error('It takes too much memory to read'))
        pool.stop()
      }, MEMORY_CHECK_MS)
      try {
        const result = pool.run('files', taskOf(bytes, filename))
        const { value, error } = await Promise.race([exceeded.promise, result])
        if (error) throw error
        return value as string
      } finally {
        clearInterval(watch)
      }
    },
    close: () => pool.stop(),
  }
}

const taskOf = (bytes: Uint8Array, filename: string): PoolTask => ({
  message: [bytes, filename],
  length: bytes.length,
  tooSlow: (seconds) => new Fault('too_large', `It takes more than ${seconds} s to read`),
})
