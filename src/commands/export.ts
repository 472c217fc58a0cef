import { resolve } from 'node:path'
import { resolveTeam } from '../features/accounts/index.ts'
import { openSnapshot } from '../store/snapshot.ts'
import { exportTeam } from '../transfer/export/stream.ts'
import { type Line, serialize, writeFile } from '../transfer/lines.ts'
import { type Command, DATA, progress } from './command.ts'
import { type LocalContext, withLocalContext } from './local-context.ts'

export const exportCommand: Command = {
  summary: 'Write a team with its boards and tasks as JSON, a record to a line',
  about:
    'People come by name and e-mail; passwords, keys and tokens stay here. Without a file it goes to standard output. "cork import" takes it in, on another server or another database.',
  example: 'cork export --team Harbour harbour.jsonl',
  args: [{ name: 'file', about: 'The file to write; left out: standard output' }],
  flags: {
    team: { type: 'string', hint: 'T', about: 'Its number, UUID or name', required: true },
    force: { type: 'boolean', about: 'Overwrite a file of that name' },
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
  { where, server, audit }: LocalContext,
  ref: string,
  file: string | undefined,
  force: boolean,
) {
  const snapshot = await openSnapshot(where)
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
