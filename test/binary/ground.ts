import { join } from 'node:path'
import { place } from '../database.ts'
import { onPostgres } from '../server.ts'
import { cork, folder, type Made, serving } from './cork.ts'

/** A new, empty place for data on the engine under test. */
export async function ground() {
  const data = join(folder(), 'data')
  const env: Record<string, string> = onPostgres
    ? { DATABASE_URL: (await place()).url!, CORK_SECRET: 'a secret that only tests know' }
    : { DATABASE_URL: '' }
  return plot(data, env)
}

/** A new data folder with SQLite, whichever engine is under test. */
export const inFolder = () => plot(join(folder(), 'data'), { DATABASE_URL: '' })

function plot(data: string, env: Record<string, string>) {
  const run = (args: string[], { input = '', ...more }: Record<string, string> = {}) =>
    cork([...args, '--data', data], { input, env: { ...env, ...more } })
  return {
    data,
    env,
    run,
    /** The JSON that a command prints; throws if the command fails. */
    async json(args: string[], input = '') {
      const { out, err, code } = await run([...args, '--json'], { input })
      if (code !== 0) throw new Error(`cork ${args.join(' ')} failed: ${err}${out}`)
      return JSON.parse(out)
    },
    async init(): Promise<Made> {
      const who = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
      const { out, err, code } = await run(['init', ...who, '--json'])
      if (code !== 0) throw new Error(`cork init failed: ${err}`)
      return JSON.parse(out)
    },
    serve: () => serving(data, { env }),
  }
}

export type Ground = ReturnType<typeof plot>
