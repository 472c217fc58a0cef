import type { Caller, Server } from '../../kernel/caller.ts'
import type { Dispatch } from '../../kernel/dispatch.ts'
import { yieldForLargeWork } from '../../kernel/event-loop.ts'
import { MAX_ROWS } from '../../kernel/list.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { csvWriter } from './csv.ts'
import { jsonWriter } from './json.ts'
import { markdownWriter } from './markdown.ts'
import type { Column, Comment, Plan, Task, Writer } from './task.ts'

interface Parts {
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  server: Server
  clock(): Date
  /** Returns the current rights of the caller; throws if its credential has ended. */
  refreshCaller(caller: Caller): Promise<Caller>
  /** Reads the next tasks of an export. */
  read: AnyOperation
  disposition(kind: 'attachment', filename: string): string
  todoWriter(info: Record<'title' | 'host' | 'version' | 'time_zone', string>): Writer
}

/** The characters after which a piece of a page is sent. */
const MAX_CHUNK = 65_536

const FORMATS = {
  markdown: { type: 'text/markdown', extension: 'md' },
  csv: { type: 'text/csv', extension: 'csv' },
  json: { type: 'application/json', extension: 'json' },
  ics: { type: 'text/calendar', extension: 'ics' },
}
type Format = keyof typeof FORMATS

interface Request {
  caller: Caller
  input: unknown
  /** The plan of the export. */
  data: unknown
  signal: AbortSignal
  onError(error: unknown): void
}

/** An export of a caller. */
interface Export {
  caller: Caller
  plan: Plan
  full: boolean
}

/**
 * Sends the tasks of a plan as a file. It reads a few at a time, with the current rights of the
 * caller, and only as fast as the client receives them. Without a format there is no file.
 */
export function taskFiles(parts: Parts) {
  return async ({ caller, input, data, ...request }: Request): Promise<Response | undefined> => {
    const { format, full = false } = input as { format?: Format; full?: boolean }
    if (!format) return undefined
    const { type, extension } = FORMATS[format]
    const plan = data as Plan
    const filename = `${fileNameOf(plan)}.${extension}`
    const exported = { caller, plan, full }
    const texts = textsOf(parts, exported, await writerFor(parts, exported, format))
    return new Response(streamOf(texts, request), {
      headers: {
        'content-type': `${type}; charset=utf-8`,
        'content-disposition': parts.disposition('attachment', filename),
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    })
  }
}

/** Without the characters that file systems refuse. */
const fileNameOf = ({ title }: Plan) =>
  title.replaceAll(': ', ' - ').replace(/[\\/:*?"<>|\p{C}]+/gu, '-')

async function writerFor(
  { server, clock, todoWriter }: Parts,
  { caller, plan, full }: Export,
  format: Format,
): Promise<Writer> {
  const { time_zone } = caller
  if (format === 'csv') return csvWriter(plan, (await import('csv-stringify/sync')).stringify)
  if (format === 'json') return jsonWriter(plan, clock())
  if (format === 'markdown') return markdownWriter(plan, { full, time_zone })
  const host = new URL(server.url).hostname
  return todoWriter({ title: plan.title, host, version: server.version, time_zone })
}

async function* textsOf(parts: Parts, { caller, plan }: Export, writer: Writer) {
  yield writer.head()
  for (const column of plan.columns) {
    yield writer.column?.(column) ?? ''
    for await (const tasks of pagesOf(parts, caller, plan, column)) {
      let text = ''
      for (const task of tasks) {
        const comments = writer.hasComments ? await commentsOf(parts, caller, task) : []
        text += writer.task({ ...task, ...(writer.hasComments && { comments }) }, column)
        if (text.length < MAX_CHUNK) continue
        yield text
        text = ''
      }
      yield text
    }
  }
  yield writer.end()
}

async function* pagesOf(
  { dispatch, refreshCaller, read }: Parts,
  caller: Caller,
  { project_id }: Plan,
  column: Column,
) {
  for (let at = 0; at < column.task_ids.length; ) {
    const task_ids = column.task_ids.slice(at, at + MAX_ROWS)
    await nextTurn()
    const { data } = await dispatch(await refreshCaller(caller), read, { project_id, task_ids })
    const page = data as { tasks: Task[]; read: number }
    yield page.tasks
    at += page.read
  }
}

/** Each page gets its own turn of the event loop, however many exports run. */
const nextTurn = () => yieldForLargeWork(Number.POSITIVE_INFINITY)

/** All comments of a task, the oldest first. */
async function commentsOf(
  { dispatch, catalog }: Parts,
  caller: Caller,
  { task_id, comment_count }: Task,
): Promise<Comment[]> {
  if (!comment_count) return []
  const list = catalog.find(({ name }) => name === 'comments.list')!
  const comments: Comment[] = []
  let cursor: string | null | undefined
  do {
    await nextTurn()
    const input = { task_id, format: 'markdown', sort: 'createdAt:asc', limit: MAX_ROWS }
    const { data, page } = await dispatch(caller, list, { ...input, ...(cursor && { cursor }) })
    comments.push(...(data as Comment[]))
    cursor = page?.next_cursor
  } while (cursor)
  return comments
}

/** After an error or an abort, the connection breaks, so no client takes the file for complete. */
function streamOf(
  texts: AsyncGenerator<string>,
  { signal, onError }: Pick<Request, 'signal' | 'onError'>,
) {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        signal.throwIfAborted()
        let next = await texts.next()
        while (next.value === '') next = await texts.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(next.value))
      } catch (error) {
        if (!signal.aborted) onError(error)
        controller.error(error)
      }
    },
    cancel: () => void texts.return(undefined),
  })
}
