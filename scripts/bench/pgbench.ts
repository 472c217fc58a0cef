import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverProgram } from '../postgres.ts'
import type { Sample } from './sample.ts'
import type { Statement } from './statement-recorder.ts'

/** The statements that create one task, and the numbers in them that belong to this task only. */
export interface Recording {
  statements: Statement[]
  number: string
  task_id: string
}

/**
 * Writes the rows of recorded creations with pgbench, PostgreSQL's own load generator, which reads
 * nothing and checks nothing. Each transaction takes one of the recordings at random.
 */
export function pgbench(
  { url, folder, clients }: { url: string; folder: string; clients: number },
  recordings: readonly Recording[],
) {
  const files = recordings.flatMap((recording, at) => {
    const file = join(folder, `create-${at}.sql`)
    writeFileSync(file, scriptOf(recording))
    return ['-f', file]
  })
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', ...files]
  return async (seconds: number): Promise<Sample> => {
    const command = [serverProgram('pgbench'), ...options, '-T', String(Math.ceil(seconds)), url]
    const run = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
    ])
    const figureOf = (name: string) =>
      Number(new RegExp(`^${name} = ([\\d.]+)`, 'm').exec(out)?.[1])
    const sample = { rate: figureOf('tps'), mean: figureOf('latency average') }
    if ((await run.exited) !== 0 || !sample.rate) throw new Error(`pgbench failed:\n${out}${err}`)
    const unknown = Number.NaN
    return { ...sample, p50: unknown, p95: unknown, p99: unknown, client: unknown, server: unknown }
  }
}

/** The writes of a recording, with a new number and id in each run. */
function scriptOf({ statements, number, task_id }: Recording): string {
  const lines = ['begin;']
  for (const { text, values } of statements) {
    if (!/^(insert|update)/i.test(text)) continue
    lines.push(text.replace(/\$(\d+)/g, (_, at) => literal(values?.[at - 1] ?? null)))
    if (/^update "projects"/i.test(text)) lines.push('\\gset', '\\set number :next_number - 1')
    else lines.push(/^insert into "tasks"/i.test(text) ? '\\gset' : ';')
  }
  return [...lines, 'commit;', ''].join('\n')

  function literal(value: string | null): string {
    if (value === null) return 'null'
    if (value === number) return ':number'
    if (value === task_id) return ':task_id'
    const quoted = `'${value.replaceAll("'", "''")}'`
    if (!value.includes(number)) return quoted
    const replaced = `replace(${quoted}, '${number}', :number::text)`
    return value.startsWith('{') ? `${replaced}::jsonb` : replaced
  }
}
