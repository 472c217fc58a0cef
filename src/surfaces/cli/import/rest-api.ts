import { type Import, type ImportApi, ImportApiError, type Result } from '../../../import/api.ts'
import type { OperationDescription } from '../../../kernel/operation.ts'
import { type Client, ConnectionError, RefusedError } from '../client.ts'
import { requestFor } from '../request.ts'

/** The calls of an import over REST. */
export function restApi(client: Client, catalog: readonly OperationDescription[]): ImportApi {
  const call = async (name: string, input: object): Promise<unknown> => {
    const op = catalog.find((one) => one.name === name)!
    try {
      return (await client.send(requestFor(op, { ...input }))).data
    } catch (error) {
      throw apiError(error)
    }
  }
  return {
    preview: (input) => call('imports.preview', input) as ReturnType<ImportApi['preview']>,
    start: (input) => call('imports.start', input) as Promise<Import>,
    write: async (import_id, records) => {
      const answer = await call('imports.write', { import_id, records })
      return (answer as { results: Result[] }).results
    },
    attach: (import_id, attachment) =>
      call('imports.attach', { import_id, attachment }) as Promise<Result>,
    finish: (import_id) => call('imports.finish', { import_id }) as Promise<Import>,
  }
}

function apiError(error: unknown): unknown {
  if (error instanceof ConnectionError) return new ImportApiError(error.message, error.status)
  if (!(error instanceof RefusedError)) return error
  const { status, message, refusal } = error
  const { retry_after } = (refusal.details ?? {}) as { retry_after?: number }
  return Object.assign(new ImportApiError(message, status, retry_after), { cause: error })
}
