import type { OperationDescription } from '../../../kernel/operation.ts'
import { Client } from '../client.ts'
import { CommandError, UsageError, type Values } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { requestFor } from '../request.ts'
import { resolveNames, restSource } from '../resolve-names.ts'
import { save } from '../save.ts'
import { safe } from '../table.ts'
import { writeBacklog } from './backlog.ts'

export const FORMATS = ['markdown', 'csv', 'json', 'ics', 'backlog'] as const

/** Exports the tasks of a board or view from a server, to a file or to standard output. */
export async function exportTasks(
  catalog: readonly OperationDescription[],
  io: CommandIO,
  values: Values,
): Promise<number> {
  const { format, file, full, force, json } = values
  if (format === 'backlog' && file === undefined)
    throw new UsageError(
      'Name the folder to write: cork export --format backlog --project HOM backlog',
    )
  const response = await request(catalog, io, values, {
    format: format === 'backlog' ? 'json' : format,
    ...(full !== undefined && { full: true }),
  })
  const body = chunksOf(response)
  if (file === undefined) return print(body, io)
  if (format === 'backlog') await writeBacklog(file, body, force !== undefined)
  else await save(file, body, force !== undefined)
  io.out(json === undefined ? file : JSON.stringify({ file, format }))
  return 0
}

async function request(
  catalog: readonly OperationDescription[],
  io: CommandIO,
  { project, view }: Values,
  options: Record<string, unknown>,
): Promise<Response> {
  if ((project === undefined) === (view === undefined))
    throw new UsageError('Name what to export: either --project or --view')
  const [name, named] =
    view === undefined
      ? ['projects.export', { project_id: project }]
      : ['views.export', { view_id: view }]
  const op = catalog.find((one) => one.name === name)!
  const client = new Client(io)
  const input = await resolveNames(op, named, restSource(client, catalog))
  return client.open(requestFor(op, { ...input, ...options }), { accept: '*/*' })
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch (error) {
    throw new CommandError(`The export broke off: ${(error as Error).message}. Try again`)
  }
}

async function print(body: AsyncIterable<Uint8Array>, io: CommandIO): Promise<number> {
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    await io.exact(io.screen.width === undefined ? text : safe(text))
  }
  return 0
}
