import { MOST_ROWS, type PageInfo } from '../../kernel/list.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Answer, Client } from './client.ts'
import { askOf, type Fields } from './request.ts'

interface Rows extends Answer {
  data: unknown[]
}

/**
 * As many rows as were asked for, page after page, for the server gives only so many at once.
 * Without a number it is one page of the server's choice; `all` goes on to the end.
 */
export async function rowsOf(
  client: Client,
  op: AnyOperation,
  input: Fields,
  all: boolean,
): Promise<Rows> {
  const wanted = all ? Number.POSITIVE_INFINITY : (input.limit as number | undefined)
  if (wanted === undefined || (wanted <= MOST_ROWS && wanted >= 1))
    return (await client.send(askOf(op, input))) as Rows
  const rows: unknown[] = []
  const warnings: NonNullable<Answer['warnings']> = []
  let page: PageInfo | undefined
  let asked = input
  do {
    const limit = Math.min(MOST_ROWS, wanted - rows.length)
    const answer = (await client.send(askOf(op, { ...asked, limit }))) as Rows
    rows.push(...answer.data)
    if (!page) warnings.push(...(answer.warnings ?? []))
    page = answer.page
    const { offset: _, ...same } = input
    asked = { ...same, cursor: page?.next_cursor }
  } while (page?.has_more && page.next_cursor && rows.length < wanted)
  return { data: rows, ...(page && { page }), ...(warnings.length && { warnings }) }
}
