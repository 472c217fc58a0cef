import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalog } from '../src/catalog.ts'
import { run } from '../src/commands/run.ts'
import type { AnyOperation } from '../src/kernel/operation.ts'
import { fieldsOf } from '../src/surfaces/cli/inputs.ts'
import type { CommandIO } from '../src/surfaces/cli/io.ts'
import type { Outcome } from './ask.ts'
import { parse } from './json.ts'
import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** Stands in for what a test does not care about. */
export const nowhere: CommandIO = {
  env: {},
  fetch: () => Promise.reject(new Error('There is no network here')),
  out: () => {},
  exact: () => Promise.resolve(),
  err: () => {},
  input: () => Promise.resolve(''),
  ask: undefined,
  line: undefined,
  onInterrupt: () => () => {},
  sleep: () => Promise.resolve(),
  screen: { colour: false },
}

/** Somebody before a terminal, whose requests go to this world's server without a network. */
export function terminal(
  w: Pick<World, 'app'> | undefined,
  actor: { secret: string } | undefined,
  more: Partial<CommandIO> = {},
  operations?: readonly AnyOperation[],
) {
  const said = { out: [] as string[], err: [] as string[] }
  const outside: CommandIO = {
    ...nowhere,
    env: {
      XDG_CONFIG_HOME: settings(),
      CORK_URL: 'http://localhost',
      ...(actor && { CORK_TOKEN: actor.secret }),
    },
    ...(w && { fetch: (request: Request) => w.app.handle(request) }),
    out: (text) => said.out.push(text),
    exact: async (text) => void said.out.push(text),
    err: (text) => said.err.push(text),
    ...more,
  }
  return {
    outside,
    async cork(...words: string[]) {
      said.out = []
      said.err = []
      const code = await run(words, outside, operations)
      return { code, out: said.out.join('\n'), err: said.err.join('\n') }
    },
  }
}

const folders: string[] = []

/** A folder of one's own, for settings or files; removed by `sweep`. */
export function settings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cork-settings-'))
  folders.push(folder)
  return folder
}

export function sweep(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** The line that somebody types to give this input, after `cork`. */
export function lineOf(op: AnyOperation, input: Fields): string[] {
  const given: Fields = {
    task: input.ticket_number ?? input.task_id ?? input.task_identifier,
    ...input,
  }
  const words: string[] = []
  const flags: string[] = []
  for (const { name, flag } of fieldsOf(op)) {
    const value = given[name]
    if (value === undefined) continue
    if (!flag) words.push(typed(value))
    else if (flag === 'file') flags.push(...(value as FileInput[]).map(filed))
    else if (typeof value === 'boolean') flags.push(value ? `--${flag}` : `--no-${flag}`)
    else flags.push(`--${flag}=${typed(value)}`)
  }
  const verbs = op.on.cli!.split(' ').filter((word) => /^\w/.test(word))
  return [...verbs, ...flags, '--', ...words]
}

interface FileInput {
  filename: string
  data: string
}

/** A file of this machine, as a person names it. */
function filed({ filename, data }: FileInput): string {
  const path = join(settings(), filename)
  writeFileSync(path, Buffer.from(data, 'base64'))
  return `--file=${path}`
}

const typed = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

export async function overCli(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
): Promise<Outcome> {
  const [noun = '', verb = '', ...rest] = lineOf(op, input)
  const t = terminal(w, actor, {}, [...catalog, op])
  const { code, out, err } = await t.cork(noun, verb, '--json', ...rest)
  if (code === 0) return { status: 200, data: parse(out) }
  const { error, message, details, hint } = parse(err)
  return { status: code, fault: { error, message, details, hint } }
}
