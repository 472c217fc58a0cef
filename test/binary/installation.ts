import { join } from 'node:path'
import { createDatabaseLocation } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'
import { cork, createFolder, type InitResult, startServer } from './cork.ts'

/** A new, empty place for data on the engine under test. */
export async function createInstallation() {
  const data = join(createFolder(), 'data')
  const env: Record<string, string> = onPostgres
    ? {
        DATABASE_URL: (await createDatabaseLocation()).url!,
        CORK_SECRET: 'a secret that only tests know',
      }
    : { DATABASE_URL: '' }
  return installationAt(data, env)
}

/** A new data folder with SQLite, whichever engine is under test. */
export const createSqliteInstallation = () =>
  installationAt(join(createFolder(), 'data'), { DATABASE_URL: '' })

/** A place for data with these settings. */
export function installationAt(data: string, env: Record<string, string>) {
  const run = (args: string[], { input = '', ...extraEnv }: Record<string, string> = {}) =>
    cork([...args, '--data', data], { input, env: { ...env, ...extraEnv } })
  return {
    data,
    env,
    run,
    /** The JSON that a command prints; throws if the command fails. */
    async runJson(args: string[], input = '') {
      const { out, err, code } = await run([...args, '--json'], { input })
      if (code !== 0) throw new Error(`cork ${args.join(' ')} failed: ${err}${out}`)
      return JSON.parse(out)
    },
    async init(): Promise<InitResult> {
      const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
      const { out, err, code } = await run(['init', ...flags, '--json'])
      if (code !== 0) throw new Error(`cork init failed: ${err}`)
      return JSON.parse(out)
    },
    serve: (args: string[] = []) => startServer(data, { args, env }),
  }
}

export type Installation = ReturnType<typeof installationAt>
