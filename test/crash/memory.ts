import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { applySteps, type Step } from '../../src/features/pages/steps.ts'
import { ask, initiated, type Serving, serving } from '../binary/cork.ts'
import { halves, type Rows } from './audit.ts'
import { Author, type Leaf } from './author.ts'
import { type Books, open } from './books.ts'
import type { Chance } from './chance.ts'
import type { Target } from './writer.ts'

const AUTHORS = 12
/** Words that are searched for after each kill; searching for all would take too long. */
const WORDS = 40
/** How long the index may take to catch up on a busy machine. */
const MOST_WAIT_MS = 15_000

export interface Account {
  kills: number
  acknowledged: number
  unanswered: number
  /** Texts of pages that were read back. */
  texts: number
  /** Words that were searched for; `gone` counts those that are in no text any more. */
  asked: number
  gone: number
  /** The longest time from the start of a server to an index that is up to date. */
  waited: number
  lost: string[]
  wrong: string[]
  /** Differences between the index and the database. */
  apart: string[]
}

export const blank = (): Account => ({
  ...{ kills: 0, acknowledged: 0, unanswered: 0, texts: 0, asked: 0, gone: 0, waited: 0 },
  ...{ lost: [], wrong: [], apart: [] },
})

type Made = Awaited<ReturnType<typeof initiated>>

/** A server whose search index must match its database, also after kills. */
export class Memory {
  private constructor(
    readonly made: Made,
    private readonly boards: readonly number[],
    private readonly authors: readonly Author[],
    private readonly chance: Chance,
    private readonly account: Account,
    private readonly books: Books,
    private server: Serving,
  ) {}

  static async open(chance: Chance, account: Account): Promise<Memory> {
    const made = await initiated()
    const server = await serving(made.data)
    const call = (path: string, body: object) => ask(server.url, made.api_key, 'POST', path, body)
    const boards: number[] = []
    for (const title of ['Alpha', 'Beta']) {
      const { team_id } = made
      const sections = [{ title: 'Open' }, { title: 'Done' }]
      const { body } = await call('/api/v1/projects', { team_id, title, sections })
      boards.push(body.data.project_id)
    }
    const authors: Author[] = []
    for (let nth = 0; nth < AUTHORS; nth++) {
      const task = { project_id: boards[nth % 2], title: `Task of author ${nth}` }
      const { body } = await call('/api/v1/tasks', task)
      authors.push(new Author(body.data.task_id, chance, boards))
    }
    const books = await open(made.data)
    return new Memory(made, boards, authors, chance, account, books, server)
  }

  /** Lets all authors write for a while, kills and restarts the server, and audits the data. */
  async round(): Promise<void> {
    const target = this.target()
    const work = this.authors.map((author) => author.work(target))
    await Bun.sleep(this.chance.between(40, this.books.embedded ? 900 : 1800))
    target.killed = true
    await this.server.end('SIGKILL')
    await Promise.all(work)
    this.account.kills++
    await this.books.settle()
    // Sometimes the server is killed again while it catches up.
    if (this.chance.onceIn(3)) {
      const server = await serving(this.made.data)
      await Bun.sleep(this.chance.below(60))
      await server.end('SIGKILL')
      this.account.kills++
      await this.books.settle()
    }
    this.server = await serving(this.made.data)
    const began = performance.now()
    await this.audit()
    await this.look(began)
  }

  /** Stops the server properly, changes its folder, restarts it and compares again. */
  async meddle(deed: (data: string) => void, ms = 500): Promise<void> {
    await this.whole()
    await this.server.end()
    deed(this.made.data)
    this.server = await serving(this.made.data)
    await this.look(performance.now(), ms)
  }

  /** Stops the server once its index is up to date, and compares the index with the database. */
  async close(): Promise<number> {
    await this.whole()
    const code = await this.server.end()
    const known = await sourcesIn(this.books.rows)
    this.account.apart.push(...differing(keptIn(this.made.data), known))
    await this.books.close()
    return code
  }

  /** The number of pages in the index. */
  get pages(): number {
    return keptIn(this.made.data).filter(({ name }) => name.startsWith('page')).length
  }

  /** Resolves when the index has read the whole change log. */
  private async whole(): Promise<void> {
    const [newest] = await this.books.rows<{ seq: number }>('select max(seq) seq from changes')
    const until = performance.now() + MOST_WAIT_MS
    while (placeIn(this.made.data) < Number(newest!.seq)) {
      if (performance.now() > until) throw new Error('The index never knows the end of the log')
      await Bun.sleep(50)
    }
  }

  private target(): Target {
    const { api_key: secret, team_id } = this.made
    return { url: this.server.url, secret, team_id, killed: false }
  }

  /** Compares the database with what was acknowledged to the authors. */
  private async audit(): Promise<void> {
    const { account, books } = this
    account.wrong.push(...(await halves(books.rows, books.embedded)))
    for (const author of this.authors) {
      for (const leaf of author.leaves) await this.judge(leaf)
      await this.listen(author)
      account.wrong.push(...author.wrong.splice(0))
      account.acknowledged += author.acknowledged
      account.unanswered += author.unanswered
      author.acknowledged = 0
      author.unanswered = 0
    }
  }

  private async judge(leaf: Leaf): Promise<void> {
    const kept = await keptOf(this.books.rows, leaf.page_id)
    const same = (one: Pick<Leaf, 'texts' | 'archived'>) =>
      kept && one.archived === kept.archived && Bun.deepEquals(one.texts, kept.texts)
    const isDone = !same(leaf) && leaf.pending && same(leaf.pending)
    if (!same(leaf) && !isDone)
      this.account.lost.push(
        `page ${leaf.page_id} has ${kept?.texts.length} of ${leaf.texts.length} versions, or others`,
      )
    if (isDone) Object.assign(leaf, leaf.pending)
    leaf.pending = undefined
    this.account.texts += kept?.texts.length ?? 0
  }

  private async listen({ remarks, task_id }: Author): Promise<void> {
    const kept = await this.books.rows<{ comment_id: number; text: string }>(
      `select comment_id, text from comments where task_id = ${task_id}`,
    )
    for (const one of remarks) {
      const text = kept.find(({ comment_id }) => comment_id === one.comment_id)?.text
      const isDone = text !== one.text && one.pending && text === one.pending.text
      if (text !== one.text && !isDone) this.account.lost.push(`comment ${one.comment_id}: ${text}`)
      one.text = text
      one.pending = undefined
    }
  }

  /** Compares search results with the database, once the index has caught up. */
  private async look(began: number, ms = MOST_WAIT_MS): Promise<void> {
    const words = this.authors.flatMap((author) => author.words.splice(0))
    const some = words.toSorted(() => this.chance.next() - 0.5).slice(0, WORDS)
    const known = await sourcesIn(this.books.rows)
    for (const word of some) {
      const holding = known.filter(({ text }) => text.includes(word))
      this.account.asked++
      if (!holding.length) this.account.gone++
      const apart = await this.sought(word, holding, began + ms)
      if (apart) this.account.apart.push(apart)
    }
    this.account.waited = Math.max(this.account.waited, performance.now() - began)
    // Some words are searched for again after the next kill.
    for (const author of this.authors.slice(0, 3)) author.words.push(...some.slice(0, 2))
  }

  /** Undefined once a search on each board finds exactly the texts with that word. */
  private async sought(word: string, holding: readonly Source[], until: number) {
    for (;;) {
      const apart: string[] = []
      for (const project_id of this.boards) {
        const expected = holding.filter((one) => Number(one.project_id) === project_id)
        const found = await this.seek(word, project_id)
        const names = expected.map(({ name }) => name).toSorted()
        if (!Bun.deepEquals(found, names))
          apart.push(`${word} on board ${project_id}: ${found.join()} instead of ${names.join()}`)
      }
      if (!apart.length || performance.now() > until) return apart[0]
      await Bun.sleep(50)
    }
  }

  private async seek(word: string, project_id: number): Promise<string[]> {
    const path = `/api/v1/search/semantic?query=${word}&project_id=${project_id}&limit=20`
    const { body } = await ask(this.server.url, this.made.api_key, 'GET', path)
    const rows = (body.data ?? []) as Passage[]
    const holding = rows.filter(({ text }) => text.includes(word))
    return [...new Set(holding.map(({ source }) => `${source.kind} ${source.id}`))].toSorted()
  }
}

interface Passage {
  text: string
  source: { kind: string; id: number }
}

interface Source {
  name: string
  project_id: number
  text: string
}

/** Every searchable text with its board. */
async function sourcesIn(rows: Rows): Promise<Source[]> {
  const there = "t.status in ('Normal', 'Archive')"
  const described = await rows<Source>(
    `select 'description ' || t.task_id as name, t.project_id, t.description as text from tasks t
     where t.description is not null and ${there}`,
  )
  const said = await rows<Source>(
    `select 'comment ' || c.comment_id as name, t.project_id, c.text from comments c
     join tasks t on t.task_id = c.task_id where ${there}`,
  )
  const pieces = await rows<Source>(
    `select 'page ' || p.page_id as name, t.project_id, x.content as text from page_pieces x
     join pages p on p.page_id = x.page_id join tasks t on t.task_id = p.task_id
     where p.archived_at is null and ${there}`,
  )
  return [...described, ...said, ...pieces]
}

const KINDS = ['description', 'comment', 'page']

function reading<T>(data: string, job: (database: Database) => T): T {
  const database = new Database(join(data, 'search.db'), { readonly: true })
  try {
    return job(database)
  } finally {
    database.close()
  }
}

const placeIn = (data: string) =>
  reading(data, (database) => database.query<{ seq: number }, []>('select seq from place').get())
    ?.seq ?? 0

/** The content of the index. */
const keptIn = (data: string): Source[] =>
  reading(data, (database) =>
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
const facts = (sources: readonly Source[]) =>
  new Set(
    sources.flatMap(({ name, project_id, text }) =>
      (text.match(/\b[b-df-hj-np-tv-xz]{10}\b/g) ?? []).map(
        (word) => `${word} in ${name} on board ${project_id}`,
      ),
    ),
  )

/** What only the index or only the database contains. */
function differing(index: readonly Source[], database: readonly Source[]): string[] {
  const [known, there] = [facts(index), facts(database)]
  return [
    ...[...there.difference(known)].map((fact) => `not in the index: ${fact}`),
    ...[...known.difference(there)].map((fact) => `in the index alone: ${fact}`),
  ]
}

/** A page in the database, with the text of each version, oldest first. */
async function keptOf(rows: Rows, page_id: number) {
  const [page] = await rows<{ archived_at: unknown }>(
    `select archived_at from pages where page_id = ${page_id}`,
  )
  if (!page) return undefined
  const pieces = await rows<{ content: string }>(
    `select content from page_pieces where page_id = ${page_id} order by place`,
  )
  const versions = await rows<{ back: Step[] | string | null; whole: string | null }>(
    `select back, whole from page_versions where page_id = ${page_id} order by version desc`,
  )
  let text = pieces.map(({ content }) => content).join('')
  const texts: string[] = []
  for (const { back, whole } of versions) {
    texts.unshift(whole ?? text)
    const steps: Step[] | null = typeof back === 'string' ? JSON.parse(back) : back
    if (steps) text = applySteps(steps, texts[0]!)
  }
  return { texts, archived: page.archived_at !== null }
}
