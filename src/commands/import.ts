import { existsSync } from 'node:fs'
import { UnusableError } from '../store/unusable.ts'
import { importFiles } from '../transfer/files.ts'
import { checkFile } from '../transfer/import/check-file.ts'
import { endExpiredImports } from '../transfer/import/discard.ts'
import { importTeam } from '../transfer/import/import-team.ts'
import { Interrupted } from '../transfer/import/lease.ts'
import { type Command, DATA, progress } from './command.ts'
import { printResult, withLocalContext } from './local-context.ts'

export const importCommand: Command = {
  summary: 'Take in a team that "cork export" wrote, as a team of its own',
  about:
    'People are known again by their e-mail; others get an account without a password, which "cork user password" gives them. It is checked whole first, and then taken in whole or not at all. A running server goes on meanwhile, and shows nothing of the team before all of it is there.',
  example: 'cork import harbour.jsonl --dry-run',
  args: [{ name: 'file', about: 'What "cork export" wrote', required: true }],
  flags: {
    'dry-run': { type: 'boolean', about: 'Only check the file, and say what is in it' },
    data: DATA,
  },
  async run(values) {
    const file = values.file!
    if (!existsSync(file)) throw new UnusableError(`There is no file ${file}`)
    const checkBar = progress('Checking')
    const { counts, team } = await checkFile(file, (lines) => checkBar.at(lines))
    checkBar.end(`${counts.task} tasks, ${counts.board} boards, ${counts.person} people`)
    if (values['dry-run'] !== undefined)
      return printResult(
        values,
        { ...counts, team: team.name },
        () => `${file} holds the team ${team.name} and could be imported.`,
      )
    const bar = progress('Importing', counts.task)
    const imported = await interruptible((signal) =>
      withLocalContext(
        values,
        async ({ where, store, clock, server, audit }) => {
          await endExpiredImports(store, clock)
          if (counts.file) await importFiles(file, server.files)
          const onProgress = (done: number) => bar.at(done)
          const imported = await importTeam({ where, store, clock, path: file, onProgress, signal })
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
        `${imported.team} is here as team ${imported.team_id}: ${imported.boards} boards, ${imported.tasks} tasks, ${
          imported.known.length
        } people who had an account and ${imported.created.length} who got one without a password.`,
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
    console.error('\nStopping; what was written so far is taken away again.')
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
