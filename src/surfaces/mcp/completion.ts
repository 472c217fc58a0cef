import type { Caller } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { findBoard, listBoards } from './boards.ts'
import type { PromptBook } from './prompts/index.ts'
import type { OperationName, Operations, Read } from './reader.ts'
import type { Resources } from './resources/index.ts'
import { TEMPLATES, variableOf } from './resources/uris.ts'

const ROWS = 50
const MAX_QUERY_LENGTH = 200

export interface CompletionRequest {
  ref: { type: string; name?: string; uri?: string }
  argument: { name: string; value: string }
  context?: { arguments?: Record<string, string> }
}

interface Completion {
  values: string[]
  hasMore: boolean
}

interface Completer {
  operations: readonly OperationName[]
  /** `others` are the arguments that were filled in before. */
  complete(read: Read, value: string, others: Record<string, string>): Promise<Completion>
}

const NONE: Completion = { values: [], hasMore: false }

const startsWith = (prefix: string) => (value: string) =>
  value.toLowerCase().startsWith(prefix.toLowerCase())

const boardKeys: Completer = {
  operations: ['projects.list'],
  async complete(read, query) {
    const { items, page } = await listBoards(read, query ? { query } : {})
    // Boards whose title contains the word match too. Keys that begin with it come first.
    const begins = startsWith(query)
    const keys = items.map(({ key }) => key).sort((a, b) => +begins(b) - +begins(a))
    return { values: [...new Set(keys)], hasMore: page.has_more }
  },
}

const ticketNumbers: Completer = {
  operations: ['tasks.list', 'projects.list', 'projects.manifest'],
  async complete(read, value, { board }) {
    const [, key, number] = /^(.+)-(\d*)$/.exec(value) ?? []
    const name = board ?? key
    const project_id = name ? (await findBoard(read, name)).project_id : undefined
    const isText = value && key === undefined
    const { items, page } = await read('tasks.list', {
      ...{ sort: 'updatedAt:desc', fields: ['ticket_number'], limit: ROWS },
      ...(project_id !== undefined && { project_id }),
      ...((isText || number) && { search: value }),
    })
    const found = items.map(({ ticket_number }) => ticket_number)
    return {
      values: isText ? found : found.filter(startsWith(value)),
      hasMore: page.has_more,
    }
  },
}

const pageIds: Completer = {
  operations: ['pages.list'],
  async complete(read, value) {
    const { items, page } = await read('pages.list', { sort: 'updatedAt', limit: ROWS })
    const ids = items.map(({ page_id }) => String(page_id))
    return { values: ids.filter(startsWith(value)), hasMore: page.has_more }
  },
}

const COMPLETERS: Record<string, Completer> = {
  board: boardKeys,
  key: boardKeys,
  task: ticketNumbers,
  ticket_number: ticketNumbers,
  page_id: pageIds,
}

/** Suggests values for the arguments of prompts and the variables of resource templates. */
export class Completions {
  constructor(
    private readonly operations: Operations,
    private readonly prompts: PromptBook,
    private readonly resources: Resources,
  ) {}

  async complete(caller: Caller, request: CompletionRequest): Promise<Completion> {
    const { name, value } = request.argument
    this.checkReference(caller, request)
    const query = value.trim().slice(0, MAX_QUERY_LENGTH)
    if (name === 'name') return this.articles(query)
    const completer = COMPLETERS[name]
    if (!completer || !this.operations.mayCall(caller, completer.operations)) return NONE
    const read = this.operations.readerFor(caller)
    try {
      return await completer.complete(read, query, request.context?.arguments ?? {})
    } catch (error) {
      // A board that the caller cannot see, or a query that is not finished.
      if (error instanceof Fault && error.code !== 'internal') return NONE
      throw error
    }
  }

  private async articles(query: string): Promise<Completion> {
    const names = await this.resources.articleNames()
    return { values: names.filter(startsWith(query)), hasMore: false }
  }

  /** Throws a fault if there is no such prompt or template, or no such part of it. */
  private checkReference(caller: Caller, { ref, argument: { name } }: CompletionRequest) {
    const names =
      ref.type === 'ref/prompt'
        ? this.prompts.find(caller, ref.name ?? '').arguments.map((one) => one.name)
        : variablesOf(ref.uri ?? '')
    if (names.includes(name)) return
    throw fault.invalid(
      'argument',
      'unknown_field',
      `There is no argument ${name.slice(0, 50)}`,
      name,
      `The arguments are ${names.join(', ')}`,
    )
  }
}

function variablesOf(uri: string): string[] {
  const template = Object.values(TEMPLATES).find((one) => one === uri)
  if (template) return [variableOf(template)]
  throw fault.invalid(
    'ref',
    'not_found',
    `There is no resource template ${uri.slice(0, 100)}`,
    uri,
    `The templates are ${Object.values(TEMPLATES).join(', ')}`,
  )
}
