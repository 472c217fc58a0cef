import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { applySteps, type Step } from '../../src/features/pages/pages/model/steps.ts'
import { initDataFolder, type RunningServer, sendRequest, startServer } from '../binary/cork.ts'
import { findInconsistencies, type Query } from './audit.ts'
import { Author, type PageHistory } from './author.ts'
import { type DirectDatabase, openDirectly } from './direct-database.ts'
import type { Random } from './random.ts'
import type { Target } from './writer.ts'

const AUTHORS = 12
/** Words that are searched for after each kill; searching for all would take too long. */
const SAMPLE_SIZE = 40
/** How long the index may take to catch up on a busy machine. */
const MAX_WAIT_MS = 15_000

export interface PageTotals {
  kills: number
  acknowledged: number
  unanswered: number
  /** Texts of pages that were read back. */
  texts: number
  /** Words that were searched for; `removedWords` counts those that are in no text any more. */
  searchedWords: number
  removedWords: number
  /** The longest time from the start of a server to an index that is up to date. */
  longestWaitMs: number
  lost: string[]
  mismatches: string[]
  /** Differences between the index and the database. */
  differences: string[]
}

export const emptyTotals = (): PageTotals => ({
  ...{
    kills: 0,
    acknowledged: 0,
    unanswered: 0,
    texts: 0,
    searchedWords: 0,
    removedWords: 0,
    longestWaitMs: 0,
  },
  ...{ lost: [], mismatches: [], differences: [] },
})

type Setup = Awaited<ReturnType<typeof initDataFolder>>

/** A server whose search index must match its database, also after kills. */
export class PageScenario {
  private constructor(
    readonly setup: Setup,
    private readonly boards: readonly number[],
    private readonly authors: readonly Author[],
    private readonly random: Random,
    private readonly totals: PageTotals,
    private readonly database: DirectDatabase,
    private server: RunningServer,
  ) {}

  static async open(random: Random, totals: PageTotals): Promise<PageScenario> {
    const setup = await initDataFolder()
    const server = await startServer(setup.data)
    const call = (path: string, body: object) =>
      sendRequest(server.url, setup.api_key, 'POST', path, body)
    const boards: number[] = []
    for (const title of ['Alpha', 'Beta']) {
      const { team_id } = setup
      const sections = [{ title: 'Open' }, { title: 'Done' }]
      const { body } = await call('/api/v1/projects', { team_id, title, sections })
      boards.push(body.data.project_id)
    }
    const authors: Author[] = []
    for (let index = 0; index < AUTHORS; index++) {
      const task = { project_id: boards[index % 2], title: `Task of author ${index}` }
      const { body } = await call('/api/v1/tasks', task)
      authors.push(new Author(body.data.task_id, random, boards))
    }
    const database = await openDirectly(setup.data)
    return new PageScenario(setup, boards, authors, random, totals, database, server)
  }

  /** Lets all authors write for a while, kills and restarts the server, and audits the data. */
  async round(): Promise<void> {
    const target = this.target()
    const writing = this.authors.map((author) => author.run(target))
    await Bun.sleep(this.random.between(40, this.database.isSqlite ? 900 : 1800))
    target.isEnding = true
    await this.server.end('SIGKILL')
    await Promise.all(writing)
    this.totals.kills++
    await this.database.waitUntilIdle()
    // Sometimes the server is killed again while it catches up.
    if (this.random.onceIn(3)) {
      const server = await startServer(this.setup.data)
      await Bun.sleep(this.random.below(60))
      await server.end('SIGKILL')
      this.totals.kills++
      await this.database.waitUntilIdle()
    }
    this.server = await startServer(this.setup.data)
    const startedAt = performance.now()
    await this.audit()
    await this.compareSearch(startedAt)
  }

  /** Stops the server properly, changes its folder, restarts it and compares again. */
  async changeFolder(change: (data: string) => void, ms = 500): Promise<void> {
    await this.waitForIndex()
    await this.server.end()
    change(this.setup.data)
    this.server = await startServer(this.setup.data)
    await this.compareSearch(performance.now(), ms)
  }

  /** Stops the server once its index is up to date, and compares the index with the database. */
  async close(): Promise<number> {
    await this.waitForIndex()
    const code = await this.server.end()
    const expected = await databaseTexts(this.database.query)
    this.totals.differences.push(...indexDifferences(indexedTexts(this.setup.data), expected))
    await this.database.close()
    return code
  }

  /** The number of pages in the index. */
  get pageCount(): number {
    return indexedTexts(this.setup.data).filter(({ name }) => name.startsWith('page')).length
  }

  /** Resolves when the index has read the whole change log. */
  private async waitForIndex(): Promise<void> {
    const [newest] = await this.database.query<{ seq: number }>('select max(seq) seq from changes')
    const deadline = performance.now() + MAX_WAIT_MS
    while (indexPosition(this.setup.data) < Number(newest!.seq)) {
      if (performance.now() > deadline) throw new Error('The index never knows the end of the log')
      await Bun.sleep(50)
    }
  }

  private target(): Target {
    const { api_key: secret, team_id } = this.setup
    return { url: this.server.url, secret, team_id, isEnding: false }
  }

  /** Compares the database with what was acknowledged to the authors. */
  private async audit(): Promise<void> {
    const { totals: account, database: books } = this
    account.mismatches.push(...(await findInconsistencies(books.query, books.isSqlite)))
    for (const author of this.authors) {
      for (const page of author.pages) await this.comparePage(page)
      await this.compareComments(author)
      account.mismatches.push(...author.errors.splice(0))
      account.acknowledged += author.acknowledged
      account.unanswered += author.unanswered
      author.acknowledged = 0
      author.unanswered = 0
    }
  }

  private async comparePage(page: PageHistory): Promise<void> {
    const stored = await storedPage(this.database.query, page.page_id)
    const matches = (history: Pick<PageHistory, 'texts' | 'archived'>) =>
      stored && history.archived === stored.archived && Bun.deepEquals(history.texts, stored.texts)
    const wasDone = !matches(page) && page.pending && matches(page.pending)
    if (!matches(page) && !wasDone)
      this.totals.lost.push(
        `page ${page.page_id} has ${stored?.texts.length} of ${page.texts.length} versions, or others`,
      )
    if (wasDone) Object.assign(page, page.pending)
    page.pending = undefined
    this.totals.texts += stored?.texts.length ?? 0
  }

  private async compareComments({ comments: remarks, task_id }: Author): Promise<void> {
    const stored = await this.database.query<{ comment_id: number; text: string }>(
      `select comment_id, text from comments where task_id = ${task_id}`,
    )
    for (const comment of remarks) {
      const text = stored.find(({ comment_id }) => comment_id === comment.comment_id)?.text
      const wasDone = text !== comment.text && comment.pending && text === comment.pending.text
      if (text !== comment.text && !wasDone)
        this.totals.lost.push(`comment ${comment.comment_id}: ${text}`)
      comment.text = text
      comment.pending = undefined
    }
  }

  /** Compares search results with the database, once the index has caught up. */
  private async compareSearch(startedAt: number, ms = MAX_WAIT_MS): Promise<void> {
    const words = this.authors.flatMap((author) => author.words.splice(0))
    const sample = words.toSorted(() => this.random.next() - 0.5).slice(0, SAMPLE_SIZE)
    const texts = await databaseTexts(this.database.query)
    for (const word of sample) {
      const matching = texts.filter(({ text }) => text.includes(word))
      this.totals.searchedWords++
      if (!matching.length) this.totals.removedWords++
      const difference = await this.searchDifference(word, matching, startedAt + ms)
      if (difference) this.totals.differences.push(difference)
    }
    this.totals.longestWaitMs = Math.max(this.totals.longestWaitMs, performance.now() - startedAt)
    // Some words are searched for again after the next kill.
    for (const author of this.authors.slice(0, 3)) author.words.push(...sample.slice(0, 2))
  }

  /** Undefined once a search on each board finds exactly the texts with that word. */
  private async searchDifference(
    word: string,
    matching: readonly SearchableText[],
    deadline: number,
  ) {
    for (;;) {
      const differences: string[] = []
      for (const project_id of this.boards) {
        const expected = matching.filter((one) => Number(one.project_id) === project_id)
        const actual = await this.search(word, project_id)
        const names = expected.map(({ name }) => name).toSorted()
        if (!Bun.deepEquals(actual, names))
          differences.push(
            `${word} on board ${project_id}: ${actual.join()} instead of ${names.join()}`,
          )
      }
      if (!differences.length || performance.now() > deadline) return differences[0]
      await Bun.sleep(50)
    }
  }

  private async search(word: string, project_id: number): Promise<string[]> {
    const path = `/api/v1/search/semantic?query=${word}&project_id=${project_id}&limit=20`
    const { body } = await sendRequest(this.server.url, this.setup.api_key, 'GET', path)
    const rows = (body.data ?? []) as Passage[]
    const matching = rows.filter(({ text }) => text.includes(word))
    return [...new Set(matching.map(({ source }) => `${source.kind} ${source.id}`))].toSorted()
  }
}

interface Passage {
  text: string
  source: { kind: string; id: number }
}

interface SearchableText {
  name: string
  project_id: number
  text: string
}

/** Every searchable text with its board. */
async function databaseTexts(query: Query): Promise<SearchableText[]> {
  const isVisible = "t.status in ('Normal', 'Archive')"
  const descriptions = await query<SearchableText>(
    `select 'description ' || t.task_id as name, t.project_id, t.description as text from tasks t
     where t.description is not null and ${isVisible}`,
  )
  const comments = await query<SearchableText>(
    `select 'comment ' || c.comment_id as name, t.project_id, c.text from comments c
     join tasks t on t.task_id = c.task_id where ${isVisible}`,
  )
  const pages = await query<SearchableText>(
    `select 'page ' || p.page_id as name, t.project_id, x.content as text from page_pieces x
     join pages p on p.page_id = x.page_id join tasks t on t.task_id = p.task_id
     where p.archived_at is null and ${isVisible}`,
  )
  return [...descriptions, ...comments, ...pages]
}

const KINDS = ['description', 'comment', 'page']

function withIndex<T>(data: string, read: (database: Database) => T): T {
  const database = new Database(join(data, 'search.db'), { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const indexPosition = (data: string) =>
  withIndex(data, (database) => database.query<{ seq: number }, []>('select seq from place').get())
    ?.seq ?? 0

/** The content of the index. */
const indexedTexts = (data: string): SearchableText[] =>
  withIndex(data, (database) =>
    database
      .query<{ kind: number; ref: number; project: number; text: string }, []>(
        `select s.kind, s.ref, s.project, group_concat(p.text, ' ') as text from sources s
         join passages p on p.source = s.source group by s.source`,
      )
      .all(),
  ).map(({ kind, ref, project, text }) => ({
    ...{ name: `${KINDS[kind]} ${ref}`, project_id: project, text },
  }))

/** The unique words of the texts, each with its text and its board. */
const wordFacts = (sources: readonly SearchableText[]) =>
  new Set(
    sources.flatMap(({ name, project_id, text }) =>
      (text.match(/\b[b-df-hj-np-tv-xz]{10}\b/g) ?? []).map(
        (word) => `${word} in ${name} on board ${project_id}`,
      ),
    ),
  )

/** What only the index or only the database contains. */
function indexDifferences(
  index: readonly SearchableText[],
  database: readonly SearchableText[],
): string[] {
  const [indexed, stored] = [wordFacts(index), wordFacts(database)]
  return [
    ...[...stored.difference(indexed)].map((fact) => `not in the index: ${fact}`),
    ...[...indexed.difference(stored)].map((fact) => `in the index alone: ${fact}`),
  ]
}

/** A page in the database, with the text of each version, oldest first. */
async function storedPage(query: Query, page_id: number) {
  const [page] = await query<{ archived_at: unknown }>(
    `select archived_at from pages where page_id = ${page_id}`,
  )
  if (!page) return undefined
  const pieces = await query<{ content: string }>(
    `select content from page_pieces where page_id = ${page_id} order by place`,
  )
  const versions = await query<{ back: Step[] | string | null; whole: string | null }>(
    `select back, whole from page_versions where page_id = ${page_id} order by version desc`,
  )
  let text = pieces.map(({ content }) => content).join('')
  const texts: string[] = []
  for (const { back: backwardSteps, whole: fullText } of versions) {
    texts.unshift(fullText ?? text)
    const steps: Step[] | null =
      typeof backwardSteps === 'string' ? JSON.parse(backwardSteps) : backwardSteps
    if (steps) text = applySteps(steps, texts[0]!)
  }
  return { texts, archived: page.archived_at !== null }
}
