import { existsSync } from 'node:fs'
import { UnusableError } from '../store/unusable.ts'
import { checkFile } from '../transfer/import/check-file.ts'
import { endExpiredImports } from '../transfer/import/discard.ts'
import { importFiles } from '../transfer/import/files.ts'
import { importTeam } from '../transfer/import/import-team.ts'
import { Interrupted } from '../transfer/import/lease.ts'
import { type Command, DATA, progress } from './command.ts'
import { printResult, withLocalContext } from './local-context.ts'

export const importCommand: Command = {
  summary: 'Import a team exported with "cork export", as a new team',
  about:
    'People are matched by email; others get an account without a password, which you set with "cork user password". The whole file is checked first, then imported completely or not at all. A running server keeps serving, and shows the team only once the import is complete.',
  example: 'cork import harbour.jsonl --dry-run',
  args: [{ name: 'file', about: 'File written by "cork export"', required: true }],
  flags: {
    'dry-run': { type: 'boolean', about: 'Only check the file and show what it contains' },
    data: DATA,
  },
  async run(values) {
    const file = values.file!
    if (!existsSync(file)) throw new UnusableError(`File not found: ${file}`)
    const checkBar = progress('Checking')
    const { counts, team } = await checkFile(file, (lines) => checkBar.at(lines))
    checkBar.end(`${counts.task} tasks, ${counts.board} boards, ${counts.person} people`)
    if (values['dry-run'] !== undefined)
      return printResult(
        values,
        { ...counts, team: team.name },
        () => `${file} contains the team ${team.name} and can be imported.`,
      )
    const bar = progress('Importing', counts.task)
    const imported = await interruptible((signal) =>
      withLocalContext(
        values,
        async ({ location, store, clock, server, audit }) => {
          await endExpiredImports(store, clock)
          if (counts.file) await importFiles(file, server.files)
          const onProgress = (done: number) => bar.at(done)
          const imported = await importTeam({
            where: location,
            store,
            clock,
            path: file,
            onProgress,
            signal,
          })
          await audit('team.imported', { name: imported.team }, imported.team_id)
          return imported
        },
        { create: true },
      ),
    )
    bar.end(`${imported.tasks} tasks`)
    return printResult(
      values,
      imported,
      () =>
        `Imported ${imported.team} as team ${imported.team_id}: ${imported.boards} boards, ${imported.tasks} tasks, ${
          imported.known.length
        } people with an existing account and ${imported.created.length} with a new account without a password.`,
    )
  },
}

/** The exit code of a process that SIGINT ended, by shell convention. */
const INTERRUPTED = 130

/** The first Ctrl-C aborts the job, which cleans up; the second one exits at once. */
async function interruptible<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(INTERRUPTED)
    console.error('\nStopping; removing what was imported so far.')
    stop.abort()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await job(stop.signal)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    console.error(error.message)
    return process.exit(INTERRUPTED)
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
