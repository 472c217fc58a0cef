import type { PageInfo } from './generated.ts'

/** One page of a list. */
export interface ListResult<Row> {
  items: Row[]
  page: PageInfo
}

type FetchPage<Row> = (cursor?: string) => Promise<ListResult<Row>>

/**
 * A list that was asked for. `await` returns its first page, `for await` every row of all pages. No
 * request is sent before one of them.
 */
export class List<Row> implements PromiseLike<ListResult<Row>>, AsyncIterable<Row> {
  private first?: Promise<ListResult<Row>>

  constructor(private readonly fetchPage: FetchPage<Row>) {}

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited like any other answer
  then: PromiseLike<ListResult<Row>>['then'] = (resolve, reject) => {
    this.first ??= this.fetchPage()
    return this.first.then(resolve, reject)
  }

  /** Every page, one after the other. */
  async *pages(): AsyncGenerator<ListResult<Row>> {
    let page: ListResult<Row> = await (this as PromiseLike<ListResult<Row>>)
    yield page
    while (page.page.next_cursor) {
      page = await this.fetchPage(page.page.next_cursor)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for await (const { items } of this.pages()) yield* items
  }

  /** All rows. A long list takes a request for every 50. */
  async all(): Promise<Row[]> {
    const rows: Row[] = []
    for await (const row of this) rows.push(row)
    return rows
  }
}
