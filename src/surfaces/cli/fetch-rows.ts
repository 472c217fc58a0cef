import { MAX_ROWS, type PageInfo } from '../../kernel/list.ts'
import type { OperationDescription } from '../../kernel/operation.ts'
import type { ApiAnswer, Client } from './client.ts'
import { type Fields, requestFor } from './request.ts'

interface ListAnswer extends ApiAnswer {
  data: unknown[]
}

/**
 * Fetches the requested number of rows, page by page, because the server limits a page. Without a
 * limit, fetches one page of the default size. With `all`, fetches every row.
 */
export async function fetchRows(
  client: Client,
  op: OperationDescription,
  input: Fields,
  all: boolean,
): Promise<ListAnswer> {
  const rowLimit = all ? Number.POSITIVE_INFINITY : (input.limit as number | undefined)
  if (rowLimit === undefined || (rowLimit <= MAX_ROWS && rowLimit >= 1))
    return (await client.send(requestFor(op, input))) as ListAnswer
  const rows: unknown[] = []
  const warnings: NonNullable<ApiAnswer['warnings']> = []
  let page: PageInfo | undefined
  let request = input
  do {
    const limit = Math.min(MAX_ROWS, rowLimit - rows.length)
    const answer = (await client.send(requestFor(op, { ...request, limit }))) as ListAnswer
    rows.push(...answer.data)
    if (!page) warnings.push(...(answer.warnings ?? []))
    page = answer.page
    const { offset: _, ...rest } = input
    request = { ...rest, cursor: page?.next_cursor }
  } while (page?.has_more && page.next_cursor && rows.length < rowLimit)
  return { data: rows, ...(page && { page }), ...(warnings.length && { warnings }) }
}
