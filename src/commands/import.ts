import { existsSync } from 'node:fs'
import { Unusable } from '../store/unusable.ts'
import { check } from '../transfer/check.ts'
import { endImports } from '../transfer/discard.ts'
import { takeFiles } from '../transfer/files.ts'
import { importTeam } from '../transfer/import.ts'
import { Interrupted } from '../transfer/lease.ts'
import { type Command, DATA, progress } from './command.ts'
import { answer, within } from './house.ts'

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
    if (!existsSync(file)) throw new Unusable(`There is no file ${file}`)
    const checking = progress('Checking')
    const { counts, team } = await check(file, (lines) => checking.at(lines))
    checking.end(`${counts.task} tasks, ${counts.board} boards, ${counts.person} people`)
    if (values['dry-run'] !== undefined)
      return answer(
        values,
        { ...counts, team: team.name },
        () => `${file} holds the team ${team.name} and could be imported.`,
      )
    const told = progress('Importing', counts.task)
    const made = await stoppable((signal) =>
      within(
        values,
        async ({ where, store, clock, server, audit }) => {
          await endImports(store, clock)
          if (counts.file) await takeFiles(file, server.files)
          const at = (done: number) => told.at(done)
          const made = await importTeam({ where, store, clock, path: file, told: at, signal })
          await audit('team.imported', { name: made.team }, made.team_id)
          return made
        },
        { create: true },
      ),
    )
    told.end(`${made.tasks} tasks`)
    return answer(
      values,
      made,
      () =>
        `${made.team} is here as team ${made.team_id}: ${made.boards} boards, ${made.tasks} tasks, ${
          made.known.length
        } people who had an account and ${made.created.length} who got one without a password.`,
    )
  },
}

/** As shells know it. */
const INTERRUPTED = 130

/** The first Ctrl-C ends a job in order; a second one ends the process. */
async function stoppable<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const heard = () => {
    if (stop.signal.aborted) process.exit(INTERRUPTED)
    console.error('\nStopping; what was written so far is taken away again.')
    stop.abort()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, heard)
  try {
    return await job(stop.signal)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    console.error(error.message)
    return process.exit(INTERRUPTED)
  } finally {
    for (const signal of signals) process.off(signal, heard)
  }
}
