import { resolve } from 'node:path'
import { resolveTeam } from '../features/identity/accounts/model/index.ts'
import { openSnapshot } from '../store/snapshot.ts'
import { exportTeam } from '../transfer/export/stream.ts'
import { type Line, serialize, writeFile } from '../transfer/lines.ts'
import { type Command, DATA, progress } from './command.ts'
import { type LocalContext, withLocalContext } from './local-context.ts'

export const exportCommand: Command = {
  summary: 'Export a team with its boards and tasks as JSON, one record per line',
  about:
    'People are exported with name and email, without passwords, keys or tokens. Without a file it writes to standard output. Import it with "cork import", on another server or database.',
  example: 'cork export --team Harbour harbour.jsonl',
  args: [{ name: 'file', about: 'File to write; default: standard output' }],
  flags: {
    team: { type: 'string', hint: 'T', about: 'Team: number, UUID or name', required: true },
    force: { type: 'boolean', about: 'Overwrite an existing file' },
    data: DATA,
  },
  async run(values) {
    const { file, team } = values as { file?: string; team: string }
    const result = await withLocalContext(values, (context) =>
      write(context, team, file, values.force !== undefined),
    )
    if (values.json !== undefined && file) console.log(JSON.stringify({ file, ...result }))
    return 0
  },
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
