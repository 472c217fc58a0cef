import type { CommandIO } from '../surfaces/cli/io.ts'
import { checkFile, isCorkboardFile } from '../transfer/import/check-file.ts'
import { endExpiredImports } from '../transfer/import/discard.ts'
import { importFiles } from '../transfer/import/files.ts'
import { importTeam } from '../transfer/import/import-team.ts'
import { Interrupted } from '../transfer/import/lease.ts'
import { loadCatalog } from './catalog.ts'
import { type Command, DATA, progress, type Values, WrongUsage } from './command.ts'
import { printResult, withLocalContext } from './local-context.ts'

export const importCommand = (io: CommandIO): Command => ({
  summary: 'Import tasks from another product, or a team exported with "cork export"',
  about:
    'Files of other products are recognized by their content. They are read completely before anything is sent, and importing again updates what changed. With a team file, it works on the data folder of this machine: people are matched by email; others get an account without a password, which you set with "cork user password". The whole file is checked first, then imported completely or not at all. A running server keeps serving, and shows the team only once the import is complete.',
  example: 'cork import trello.json --dry-run',
  args: [{ name: 'files', about: 'Files, a folder or an address', required: true, variadic: true }],
  flags: {
    from: { type: 'string', hint: 'SOURCE', about: 'The product, if its files are not recognized' },
    team: { type: 'string', hint: 'TEAM', about: 'Team: number, UUID or name' },
    project: { type: 'string', hint: 'BOARD', about: 'Import to this board: number, key or title' },
    columns: {
      type: 'string',
      hint: 'NAME=FIELD,…',
      about: 'What columns of a CSV file are, if their names do not say it',
    },
    'dry-run': { type: 'boolean', about: 'Only read the files and show what would be imported' },
    mapping: { type: 'string', hint: 'FILE', about: 'Import with this mapping' },
    'write-mapping': {
      type: 'string',
      hint: 'FILE',
      about: 'Only write the mapping of boards, columns, people and priorities, to edit it',
    },
    token: { type: 'string', hint: 'TOKEN', about: 'Token for the API of the other product' },
    yes: { type: 'boolean', about: 'Import without asking' },
    data: { ...DATA, about: `For a team file: ${DATA.about}` },
  },
  async run(values, { files = [] }) {
    const file = await teamFileOf(values, files)
    if (file !== undefined) return importTeamFile(values, file)
    const { importFiles } = await import('../surfaces/cli/import/index.ts')
    return importFiles({ catalog: await loadCatalog(), io, values, paths: files })
  },
})

/** Flags that mean nothing for a team file. */
const OF_OTHER_PRODUCTS = ['team', 'project', 'columns', 'mapping', 'write-mapping', 'token', 'yes']

/** The file, if Corkboard wrote it; with `--data` it must be one. */
async function teamFileOf(values: Values, files: readonly string[]): Promise<string | undefined> {
  const [file, other] = files
  const mayBe = values.from === undefined && other === undefined
  const isTeamFile = values.data !== undefined || (await isCorkboardFile(file!))
  if (!mayBe || !isTeamFile) {
    if (values.data === undefined) return undefined
    throw new WrongUsage('--data is for one file that "cork export --team" has written')
  }
  const wrong = OF_OTHER_PRODUCTS.find((flag) => values[flag] !== undefined)
  if (wrong === undefined) return file
  throw new WrongUsage(
    `${file} is an exported team, which becomes a new team: leave out --${wrong}`,
  )
}

async function importTeamFile(values: Values, file: string): Promise<number> {
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
