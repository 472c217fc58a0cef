import { resolve } from 'node:path'
import { resolveTeam } from '../features/identity/accounts/model/index.ts'
import { openSnapshot } from '../store/snapshot.ts'
import { exportTasks, FORMATS } from '../surfaces/cli/export/index.ts'
import type { CommandIO } from '../surfaces/cli/io.ts'
import { exportTeam } from '../transfer/export/stream.ts'
import { type Line, serialize, writeFile } from '../transfer/lines.ts'
import { loadCatalog } from './catalog.ts'
import { type Command, DATA, progress, type Values, WrongUsage } from './command.ts'
import { type LocalContext, withLocalContext } from './local-context.ts'

export const exportCommand = (io: CommandIO): Command => ({
  summary:
    'Export a board or view as markdown, CSV, JSON, iCalendar or Backlog.md, or a whole team',
  about:
    'With --format, it asks the server for the tasks of a board or view that you can see. With --team, it reads the data folder of this machine and writes JSON, one record per line, which "cork import" reads; people are exported with name and email, without passwords, keys or tokens. Without a file it writes to standard output.',
  example: 'cork export --format csv --project HOM tasks.csv',
  args: [{ name: 'file', about: 'File to write, for backlog a folder; default: standard output' }],
  flags: {
    format: {
      type: 'string',
      hint: FORMATS.join('|'),
      about: 'Format of the tasks',
      choices: FORMATS,
    },
    project: { type: 'string', hint: 'BOARD', about: 'Board: number, key or title' },
    view: { type: 'string', hint: 'VIEW', about: 'Saved view: UUID or title' },
    full: { type: 'boolean', about: 'For markdown: also descriptions and comments' },
    team: { type: 'string', hint: 'T', about: 'Team: number, UUID or name' },
    force: { type: 'boolean', about: 'Overwrite an existing file' },
    data: DATA,
  },
  async run(values) {
    const { format, project, view, full, team } = values
    if (team === undefined ? !format : (format ?? project ?? view ?? full) !== undefined)
      throw new WrongUsage(
        'Name what to export: either --format with --project or --view, or --team',
      )
    return team === undefined
      ? exportTasks(await loadCatalog(), io, values)
      : exportWholeTeam(values, team)
  },
})

async function exportWholeTeam(values: Values, team: string): Promise<number> {
  const { file } = values
  const result = await withLocalContext(values, (context) =>
    write(context, team, file, values.force !== undefined),
  )
  if (values.json !== undefined && file) console.log(JSON.stringify({ file, ...result }))
  return 0
}

async function write(
  { location, server, audit }: LocalContext,
  ref: string,
  file: string | undefined,
  force: boolean,
) {
  const snapshot = await openSnapshot(location)
  try {
    const team = await resolveTeam(snapshot.tx, ref)
    await audit('export.created', { ...(file && { file: resolve(file) }) }, team.team_id)
    const bar = progress(`Exporting ${team.name}`)
    let tasks = 0
    const lines = exportTeam({ tx: snapshot.tx, files: server.files }, team, (done) => {
      tasks = done
      bar.at(done)
    })
    if (file) await writeFile(file, lines, { gzip: false, force })
    else await print(lines)
    bar.end(`${tasks} tasks`)
    return { team_id: team.team_id, team: team.name, tasks }
  } finally {
    await snapshot.close()
  }
}

async function print(lines: AsyncIterable<Line>): Promise<void> {
  for await (const text of serialize(lines)) await Bun.write(Bun.stdout, text)
}
